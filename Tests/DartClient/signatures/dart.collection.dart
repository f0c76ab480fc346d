// https://api.dart.dev/dart-collection/ListQueue-class.html

class ListQueue<E> extends Iterable<E> {
  ListQueue([int? initialCapacity]);
  void addLast(E value);
  E removeFirst();
  bool remove(Object? value);
}
