"""The hooks, run by the real pre-commit, and the GitHub Action, its scripts run as a runner would."""
