"""What the Kubernetes API conventions say of status, of lists and of numbers, as far as a schema shows it.

Only what no core rule says. What is said of many fields at once is one finding, at the first of them.
"""

from __future__ import annotations

from crdlint.checks.conventions import lists, names, numbers

CHECKS = {
    "condition_type_names": names.condition_type_names,
    "floats": numbers.floats,
    "integer_formats": numbers.integer_formats,
    "list_types": lists.list_types,
    "maps_of_objects": lists.maps_of_objects,
    "nested_conditions": names.nested_conditions,
    "phase": names.phase,
    "top_level_fields": names.top_level_fields,
    "unbounded_lists": lists.unbounded_lists,
    "unsigned_integers": numbers.unsigned_integers,
}
