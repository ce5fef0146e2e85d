"""P codes: paytables."""
