"""Lists, sets and maps, and what stands in them."""

from .types import ANY, Type, as_instance, fits


class Literals:
    """The part of the checker that deals with literals of collections."""

    def at_list(self, node, wanted):
        return self.collection(node, wanted, "Set" if node.kind == "set" else "List")

    at_set = at_list

    def collection(self, node, wanted, name):
        cls = self.core(name).of
        element = ANY
        if node.types:
            element = self.type(node.types[0])
        elif wanted is not None and as_instance(wanted, cls):
            element = as_instance(wanted, cls).arguments[0]
        for item in node.elements:
            self.element(item, element, None)
        return Type("class", cls, [element])

    def at_map(self, node, wanted):
        cls = self.core("Map").of
        key, value = ANY, ANY
        if node.types:
            key, value = map(self.type, node.types)
        elif wanted is not None and as_instance(wanted, cls):
            key, value = as_instance(wanted, cls).arguments
        for item in node.elements:
            self.element(item, key, value)
        return Type("class", cls, [key, value])

    def element(self, node, one, other):
        if node.kind == "pair":
            self.want(node.key, one, "a key")
            self.want(node.value, other, "a value")
        elif node.kind == "spread":
            found = self.type_of(node.value)
            if found.is_nullable and not node.is_aware:
                self.report(node.at, f"... of {found!r}")
            kind = self.core("Map" if other is not None else "Iterable").of
            items = as_instance(found.nullable(False), kind) if found.kind == "class" else None
            if items is None and found.kind != "any":
                self.report(node.at, f"... of {found!r}")
            elif items is not None and not fits(items.arguments[0], one):
                self.report(node.at, f"... of {found!r} where {one!r} is wanted")
        elif node.kind == "if_element":
            yes, no = self.condition(node.test)
            self.flow = yes
            self.element(node.yes, one, other)
            yes, self.flow = self.flow, no
            if node.no is not None:
                self.element(node.no, one, other)
            self.flow = self.joined(yes, self.flow)
        elif node.kind == "for_element":
            self.loop(node.parts, lambda: self.element(node.body, one, other))
        else:
            self.want(node, one, "an element")
