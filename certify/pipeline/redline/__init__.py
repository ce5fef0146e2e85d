"""What differs between two filings."""
