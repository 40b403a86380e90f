"""YAML as text with positions: read, navigated and edited in place, never dumped.

This package knows nothing of Kubernetes' kinds, only how Kubernetes reads YAML.
"""
