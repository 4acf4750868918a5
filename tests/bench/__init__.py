"""How fast Daybook is here: `make bench`. Figures are of this machine; compare them within one run."""
