"""What a gate prints: one report from every command, one module for each format."""
