r"""Words of a text, as Lucene's StandardTokenizer finds them: those of Unicode, with what it adds to them.

Lucene keeps to Unicode 9. What later versions made letters or digits (arrowheads as `\u02c2`, Arabic number signs) is
what it was then; letters that came later are letters.
"""

import re

import numpy as np
import polars as pl

from assay.core.judged import Ints

LONGEST = 255
"""A word has at most so many units of UTF-16; what is longer is cut."""

_EXTEND = r"\p{wb=Extend}\p{wb=Format}\p{wb=ZWJ}[[\p{wb=Numeric}\p{wb=ALetter}]&&\p{Cf}]"
_JOINED = rf"[{_EXTEND}--\p{{Emoji_Modifier}}]*"
_LETTER = rf"[\p{{wb=ALetter}}\p{{wb=Hebrew_Letter}}--[\p{{Sk}}\p{{Pd}}\p{{Cf}}[\p{{Po}}--\x{{5F3}}]]]{_JOINED}"
_HEBREW = rf"\p{{wb=Hebrew_Letter}}{_JOINED}"
_DIGIT = rf"[\p{{wb=Numeric}}\x{{FF10}}-\x{{FF19}}--\p{{Cf}}]{_JOINED}"
_KANA = rf"\p{{wb=Katakana}}{_JOINED}"
_LOW = rf"(?:\p{{wb=ExtendNumLet}}{_JOINED})"
_IN_WORD = rf"[\p{{wb=MidLetter}}\p{{wb=MidNumLet}}\p{{wb=Single_Quote}}\x{{2D7}}--\x{{55F}}]{_JOINED}"
_IN_NUMBER = rf"[\p{{wb=MidNum}}\p{{wb=MidNumLet}}\p{{wb=Single_Quote}}]{_JOINED}"
_LETTERS = rf"{_LETTER}(?:(?:{_LOW}*|{_IN_WORD}){_LETTER})*"
_RUN = (
    rf"(?:(?:{_LETTERS}{_LOW}*)?{_HEBREW}(?:\p{{wb=Double_Quote}}{_JOINED}{_HEBREW}|\p{{wb=Single_Quote}}{_JOINED})"
    rf"|{_LETTERS}|{_DIGIT}(?:(?:{_LOW}*|{_IN_NUMBER}){_DIGIT})*)+"
)
_PIECE = rf"(?:{_KANA}(?:{_LOW}*{_KANA})*|{_RUN})"
_WORD = rf"{_LOW}*{_PIECE}(?:{_LOW}+{_PIECE})*{_LOW}*"
_SOUTH_EAST = (
    r"[[[\p{L}\p{M}]&&[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tai_Le}\p{New_Tai_Lue}\p{Tai_Tham}\p{Tai_Viet}\p{Ahom}]]"
    r"\x{109E}\x{109F}\x{19DA}\x{19DE}\x{19DF}\x{1AA0}-\x{1AA6}\x{1AA8}-\x{1AAD}\x{AA77}-\x{AA79}\x{AADE}\x{AADF}"
    rf"\x{{1173A}}\x{{1173B}}\x{{1173F}}--\x{{1A7F}}]{_JOINED}"
)
_AFTER = rf"[{_EXTEND}--[\p{{Emoji_Modifier}}\x{{FE0E}}\x{{FE0F}}]]*"
_SIGN = r"[\p{Extended_Pictographic}\p{Emoji}--[\p{wb=Regional_Indicator}\p{Emoji_Modifier}0-9#*]]"
_HAND = rf"(?:\p{{wb=ZWJ}}*\p{{Emoji_Modifier_Base}}{_AFTER})?\p{{Emoji_Modifier}}"
_PICTURE = rf"\p{{wb=ZWJ}}*{_SIGN}"
_EMOJI = (
    rf"(?:(?:{_HAND}|{_PICTURE}(?:{_AFTER}\x{{FE0F}})?){_AFTER}\p{{wb=ZWJ}})*(?:{_HAND}{_AFTER}|{_PICTURE}{_AFTER}\x{{FE0F}}?)"
    rf"|[#*]{_AFTER}\x{{FE0F}}?\x{{20E3}}{_AFTER}|(?:\p{{wb=Regional_Indicator}}{_JOINED}){{2}}"
)
WORDS = rf"{_WORD}|{_EMOJI}|(?:{_SOUTH_EAST})+|[\p{{Han}}\p{{Hiragana}}]{_JOINED}"
"""One word, in the regular expressions of Polars.

Letters and digits of Unicode's word rules (UAX 29) with what may stand between them, emoji, whole runs of the scripts
of South-East Asia, and single signs of Han and Hiragana.
"""


_ASCII = r"(?:[A-Za-z](?:(?:_*|[:.'])[A-Za-z])*|[0-9](?:(?:_*|[,;.'])[0-9])*)+"
SIMPLE = re.compile(rf"_*{_ASCII}(?:_+{_ASCII})*_*")
"""One word of a text in ASCII: the same, at once."""
PLAIN = re.compile(r"[0-9A-Za-z]+")
SHORT = 1000
"""Texts below this length may be looked at one by one."""


def words_in(text: str) -> list[str]:
    """Return the words of one text in order.

    >>> words_in("The wolf's 3.5 kg purse_")
    ['The', "wolf's", '3.5', 'kg', 'purse_']
    """
    if len(text) > SHORT or not text.isascii():
        return words_of(pl.Series([text.encode(errors="replace").decode()]))[1].to_list()
    return [part for word in SIMPLE.findall(text) for part in ([word] if len(word) <= LONGEST else _parts(word))]


def words_of(texts: pl.Series) -> tuple[Ints, pl.Series]:
    """Return the words of many texts in order: which text each is of (its place), and the words.

    >>> places, words = words_of(pl.Series(["it's 3.5 km", "", "2_000 foo.bar!"]))
    >>> places.tolist(), words.to_list()
    ([0, 0, 0, 2, 2], ["it's", '3.5', 'km', '2_000', 'foo.bar'])
    """
    found = texts.fill_null("").str.extract_all(WORDS)
    places = np.repeat(np.arange(len(texts)), found.list.len().to_numpy())
    words = found.explode(empty_as_null=False)
    long = (words.str.len_bytes() > LONGEST).arg_true()
    return (places, words) if not len(long) else _with_parts(places, words)


def _with_parts(places: Ints, words: pl.Series) -> tuple[Ints, pl.Series]:
    """Cut words that are too long."""
    parts = [_parts(word) if len(word) > LONGEST // 2 else [word] for word in words]
    counts = [len(those) for those in parts]
    return np.repeat(places, counts), pl.Series([part for those in parts for part in those], dtype=pl.String)


def _parts(word: str) -> list[str]:
    """Return the words within one that is too long: what fits is looked at alone, and then what follows."""
    if PLAIN.fullmatch(word):
        return [word[start : start + LONGEST] for start in range(0, len(word), LONGEST)]
    parts: list[str] = []
    while word:
        window = word[:LONGEST].encode("utf-16-le")[: 2 * LONGEST].decode("utf-16-le", "ignore")
        first = pl.Series([window]).str.extract(f"({WORDS})").item()
        begins = len(window) if first is None else window.index(first)
        if not begins:
            parts.append(first)
        word = word[begins or len(first) :]
    return parts
