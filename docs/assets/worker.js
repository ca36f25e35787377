// Search runs in a worker, and browsers start none for pages that are opened from a folder.
// There a hidden frame does its work: same script, same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.ready = new Promise((resolve, reject) => {
        this.frame.onload = () => {
          const inside = this.frame.contentWindow;
          inside.postMessage = (data) => setTimeout(() => this.answer(data));
          const script = inside.document.createElement("script");
          script.src = address;
          script.onload = resolve;
          script.onerror = reject;
          inside.document.body.append(script);
        };
      });
      document.documentElement.append(this.frame);
    }

    answer(data) {
      const message = new MessageEvent("message", { data: structuredClone(data) });
      this.onmessage?.(message);
      this.dispatchEvent(message);
    }

    postMessage(data) {
      const copy = structuredClone(data); // as between threads: neither side sees what the other changes later
      this.ready.then(() => setTimeout(() => this.ask(copy)));
    }

    ask(data) {
      const inside = this.frame.contentWindow;
      inside?.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
