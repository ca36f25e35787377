"""How far judges agree: the parts of `agree`, each of which says one thing of a panel of judges."""
