"""The sweep: a declared grid of variants, evaluated on this machine or on a cluster."""
