"""What people must do beside a migration, in the order in which it is best done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from crdlint.findings import Applicability
from crdlint.gosource import Question, Verdict
from crdlint.migrate.advice import ADVICE, ADVISED, HOLD_OBJECTS, NEW_FIELDS, SUBRESOURCE, Advice, Topic
from crdlint.migrate.held import BROKEN, CONVERTED, SAVED, UNDECIDED, Held, Stored
from crdlint.migrate.plan import CrdPlan, Cure, Plan, Step, Task
from crdlint.migrate.rbac import grants
from crdlint.migrate.repository import Place

# How many objects of a CRD an item names.
MOST_SHOWN = 10


@dataclass(frozen=True)
class Mention:
    """A place that an item speaks of, and whose it is."""

    place: Place
    subject: str
    remark: str = ""


@dataclass(frozen=True)
class Item:
    """One thing to do."""

    topic: Topic
    text: str
    mentions: tuple[Mention, ...] = ()


def checklist(plan: Plan, stored: Stored | None = None) -> list[Item]:
    """The items that the steps of a plan, and the objects that were held against it, make necessary; by topic."""
    writer = _Writer(plan, stored)
    found = [replace(item, mentions=tuple(dict.fromkeys(item.mentions))) for items in writer.items() for item in items]
    return sorted(found, key=lambda item: list(Topic).index(item.topic))


class _Writer:
    def __init__(self, plan: Plan, stored: Stored | None) -> None:
        self.plan = plan
        self.stored = stored
        self.planned = [(crd, step) for crd, step in plan.steps() if step.is_planned]

    def items(self) -> Iterator[Iterator[Item]]:
        yield self.order()
        yield self.go_types()
        yield self.unsafe()
        yield self.advice()
        yield self.rbac()
        yield self.copies()
        yield self.conversion()
        yield self.objects()
        yield self.stored_versions()
        yield self.transition()
        yield self.by_hand()

    def advice(self) -> Iterator[Item]:
        """What the rules and tasks of the steps ask for, each text once."""
        for advice in ADVICE:
            held = self.stored.held if self.stored is not None and advice is HOLD_OBJECTS else {}
            concerned = [
                (crd, step)
                for crd, step in self.planned
                if step.task is advice.task and (advice.rules.intersection(step.rules) or not advice.rules)
            ]
            found = [mention for crd, step in concerned if crd.name not in held for mention in _open(crd, step, advice)]
            if found:
                yield Item(advice.topic, advice.text, tuple(found))

    def go_types(self) -> Iterator[Item]:
        """What a generator would undo, by the marker that keeps it."""
        changes: dict[str, list[Mention]] = {}
        for crd, step in self.planned:
            if crd.leading.is_generated and step.task is Task.FIX and step.cure is Cure.YAML:
                lines = ", ".join(f"`{line}`" for line in (step.marker or "").split("\n"))
                shown = f"add {lines}" if step.marker else step.title
                changes.setdefault(shown, []).append(_mention(crd, step))
        for shown, found in changes.items():
            text = f"in the Go types, {shown}: controller-gen makes these files anew, and undoes the fix otherwise"
            yield Item(Topic.GO, text, tuple(found))

    def rbac(self) -> Iterator[Item]:
        """Who writes objects whose status becomes a subresource, and may not write that."""
        switched = {crd.name: (crd, step) for crd, step in self.planned if SUBRESOURCE.intersection(step.rules)}
        for crd, step in switched.values():
            group, plural = crd.leading.crd.group, str(crd.leading.crd.data("/spec/names/plural") or "")
            found = list(grants(self.plan.roles, group, plural))
            lacking = [Mention(one.place, "no status in this rule") for one in found if not one.covers_status]
            is_granted = crd.answer(Question.STATUS_RBAC) is Verdict.WRITTEN
            if lacking or not (found or is_granted):
                text = (
                    f"let the controllers get, update and patch {plural}/status of {group} (marker "
                    f"`+kubebuilder:rbac:groups={group},resources={plural}/status,verbs=get;update;patch`)"
                )
                yield Item(Topic.RBAC, text, tuple(lacking or [_mention(crd, step)]))

    def unsafe(self) -> Iterator[Item]:
        """What unsafe fixes of rules rest on that no advice speaks of: those of optional packs, and of users."""
        found: dict[str, list[Mention]] = {}
        for crd, step in self.planned:
            is_unsafe = step.task is Task.FIX and step.applicability is Applicability.UNSAFE
            if is_unsafe and not ADVISED.issuperset(step.rules):
                text = f"see to what {step.name} rests on: {'; '.join(step.reasons)}"
                found.setdefault(text, []).append(_mention(crd, step))
        for text, mentions in found.items():
            yield Item(Topic.UNSAFE, text, tuple(mentions))

    def copies(self) -> Iterator[Item]:
        behind = tuple(
            Mention(spot.place, _subject(crd, step), f"{step.name}: {'; '.join(spot.why_not)}")
            for crd, step in self.planned
            for spot in step.left_behind
        )
        if behind:
            yield Item(Topic.COPIES, "make the same change in these copies, which cannot follow", behind)
        converted = {crd.name for crd, step in self.planned if step.task is Task.TO_V1}
        patches = tuple(
            Mention(patch.place, patch.target, f"{patch.path}: v1 has this elsewhere")
            for patch in self.plan.json_patches
            if patch.target in converted or not patch.target
        )
        if patches and converted:
            text = "write these JSON patches anew for v1: crdlint converts CRDs and merge patches of them only"
            yield Item(Topic.COPIES, text, patches)
        differing = tuple(
            Mention(state.place, crd.kind, state.told(crd.leading.path))
            for crd in self.plan.crds
            for state in crd.copies
            if state.differences
        )
        if differing and self.planned:
            text = "decide which copy is right: these differed before the migration, which keeps the difference"
            yield Item(Topic.COPIES, text, differing)

    def conversion(self) -> Iterator[Item]:
        """Fields that are new in status have to survive the way from one version to another."""
        adding = {
            crd.name: crd
            for crd, step in self.planned
            if NEW_FIELDS.intersection(step.rules) or step.task is Task.CAPI_STAGE1
        }
        several = [crd for crd in adding.values() if len(crd.leading.crd.versions) > 1]
        by_webhook = tuple(Mention(place, crd.kind) for crd in several for place in crd.webhooks)
        if by_webhook:
            text = (
                "carry the new fields of status through the conversion functions, in both directions: a write through "
                "another version loses them otherwise"
            )
            yield Item(Topic.CONVERSION, text, by_webhook)
        without = tuple(Mention(crd.leading.place("/spec/versions"), crd.kind) for crd in several if not crd.webhooks)
        if without:
            text = (
                "declare the new fields in every version: no conversion is declared here (strategy None), so that a "
                "field that only one version declares is pruned by a write through another"
            )
            yield Item(Topic.CONVERSION, text, without)

    def objects(self) -> Iterator[Item]:
        """What the objects need that were held against the plan."""
        if self.stored is None:
            return
        is_ratcheting = self.stored.has_ratcheting
        spared = "ratcheting (from Kubernetes 1.30 on)" if is_ratcheting else "its leniency with duplicates"
        texts = {
            BROKEN: "mend these objects before the roll-out: no step is to blame that could be left out",
            SAVED: f"mend these objects in time: the API server tolerates what is wrong in them by {spared}, while a "
            "write leaves it as it is",
            UNDECIDED: "try these objects on a test cluster: what becomes of them cannot be known here",
        }
        for name, text in texts.items():
            found = tuple(
                Mention(one.place, str(one.stored), one.told(name))
                for held in self.stored.held.values()
                for one in held.of(name)[:MOST_SHOWN]
            )
            if found:
                shown = f" ({len(found)} of {self.stored.count(name)} are shown)"
                yield Item(Topic.STORED, text + (shown if len(found) < self.stored.count(name) else ""), found)
        yield from self.converted(self.stored)

    def converted(self, stored: Stored) -> Iterator[Item]:
        """Objects that were not given as they are stored."""
        for crd in self.plan.crds:
            held = stored.held.get(crd.name, Held())
            if held.of(CONVERTED):
                first = held.of(CONVERTED)[0]
                count = held.counts[CONVERTED]
                objects = "this object" if count == 1 else f"these {count} objects"
                text = (
                    f"give {objects} in the version in which they are stored, {crd.storage_version}: another one may "
                    f"hide or change what is stored (`{crd.listing} > objects.yaml`)"
                )
                yield Item(Topic.STORED, text, (Mention(first.place, str(first.stored), f"given as {first.version}"),))

    def stored_versions(self) -> Iterator[Item]:
        touched = {crd.name: crd for crd, _ in self.planned}.values()
        found = tuple(
            Mention(crd.leading.place(version.pointer), f"{crd.kind} {version.name}", "not served any more")
            for crd in touched
            for version in crd.leading.crd.versions
            if not version.storage and not version.served
        )
        if found:
            text = (
                "before such a version is dropped, write every object anew in the storage version, and take the old "
                "one out of status.storedVersions (`kubectl get crd <name> -o jsonpath={.status.storedVersions}`)"
            )
            yield Item(Topic.STORED_VERSIONS, text, found)

    def order(self) -> Iterator[Item]:
        if self.planned:
            text = (
                "roll out in this order: RBAC, then the controllers that write what the schema is going to ask for, "
                "then the CRDs, then whatever waits for the objects"
            )
            yield Item(Topic.ROLL_OUT, text)

    def transition(self) -> Iterator[Item]:
        """Where each kind of the Cluster API stands, by what comes next for it."""
        ahead: dict[str, list[Mention]] = {}
        for crd in self.plan.crds:
            takes_stage1 = any(step.task is Task.CAPI_STAGE1 and step.is_planned for step in crd.steps)
            for stage in crd.stages:
                stage = stage.with_stage1 if takes_stage1 else stage
                if stage.next:
                    mention = Mention(stage.place, f"{crd.kind} {stage.version}")
                    ahead.setdefault(stage.next, []).append(mention)
        for text, found in ahead.items():
            yield Item(Topic.CAPI, text, tuple(found))

    def by_hand(self) -> Iterator[Item]:
        """Findings that remain, those with the same cure and the same reasons together."""
        found: dict[str, list[Mention]] = {}
        for crd, step in self.plan.steps():
            if not step.is_planned and step.rule is not None:
                text = f"{step.name}: {step.title or step.message}"
                because = "".join(f"; {reason}" for reason in step.reasons)
                if step.by_hand is not None and step.by_hand.change not in because:
                    because += f"; in the Go types, {step.by_hand.change}"
                mentions = found.setdefault(text + because, [])
                mentions.append(_mention(crd, step))
                if step.source_place is not None:
                    mentions.append(Mention(step.source_place, _subject(crd, step)))
        for finding in self.plan.others:
            mention = Mention(Place(finding.path, finding.line), "")
            found.setdefault(f"{finding.rule}: {finding.message}", []).append(mention)
        for text, mentions in found.items():
            yield Item(Topic.BY_HAND, text, tuple(mentions))


def _mention(crd: CrdPlan, step: Step) -> Mention:
    return Mention(step.place, _subject(crd, step))


def _open(crd: CrdPlan, step: Step, advice: Advice) -> Iterator[Mention]:
    """Where the advice is to be followed: nowhere, if the controllers are seen to do so already."""
    if advice.question is None or crd.answer(advice.question) is not Verdict.WRITTEN:
        yield _mention(crd, step)
        for line in crd.evidence.lines if crd.evidence is not None and advice.question is not None else ():
            if line.question is advice.question and line.verdict is not Verdict.WRITTEN:
                yield Mention(Place(os.path.normpath(line.path), line.line), crd.kind, line.what)


def _subject(crd: CrdPlan, step: Step) -> str:
    return f"{crd.kind} {step.version or ''}".rstrip()
