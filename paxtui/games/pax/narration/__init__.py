"""Descriptions of events in sentences (`narrator`), and names of Treaties, Wars and questions (`labels`)."""
