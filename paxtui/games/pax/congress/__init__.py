"""The Congress of Europe Phase: call, attendance, site, agenda, proposals, vote, and outcome."""
