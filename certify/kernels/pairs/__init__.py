"""Two hands of one deck: dealer against player, counted over all disjoint pairs."""
