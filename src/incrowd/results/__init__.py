"""What is handed out: results with their text, JSON, pages and charts. They stand above `incrowd.report`."""
