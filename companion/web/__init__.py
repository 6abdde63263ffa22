"""Pages and their API: phones as extra panels, the television, the table without hardware."""
