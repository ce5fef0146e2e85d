"""The register of filings, and the artwork that shows them."""
