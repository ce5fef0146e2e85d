"""PAR sheets with live formulas, as laboratories exchange them."""
