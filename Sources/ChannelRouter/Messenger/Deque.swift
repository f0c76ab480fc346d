/// A queue whose front is taken away in constant time.
@frozen @usableFromInline
package struct Deque<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  /// With nothing in it.
  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { head == elements.count }
  @inlinable
  package var count: Int { elements.count - head }
  /// The one that has been in it for longest.
  @inlinable
  package var first: Element? { isEmpty ? nil : elements[head] }

  /// Adds an element at the end.
  @inlinable
  package mutating func append(_ element: Element) { elements.append(element) }

  /// Takes elements out wherever they are.
  @inlinable
  package mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map { !isUnwanted($0) } ?? false }
    head = 0
  }

  /// Takes the first element out.
  @inlinable
  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1024, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }
}
