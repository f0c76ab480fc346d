/// The numbers of the generated cases of a run.
enum GeneratedNumbers {
  /// From 0 on.
  case first(Int)
  case these([Int])

  var count: Int {
    switch self {
    case .first(let count): count
    case .these(let numbers): numbers.count
    }
  }

  subscript(place: Int) -> Int {
    switch self {
    case .first: place
    case .these(let numbers): numbers[place]
    }
  }
}
