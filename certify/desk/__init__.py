"""The desk: pages in the browser over the same functions as the commands."""
