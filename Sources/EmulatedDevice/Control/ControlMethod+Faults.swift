import ChannelCodec
import ChannelRouter

extension ControlMethod {
  /// What goes wrong on purpose.
  static let faults: [ControlMethod] = [
    ControlMethod(
      "faults.add",
      [
        ("rule", "string or map"),
        ("rules", "list of such, or text as in a file; in place of rule"),
      ],
      "adds rules for what is to go wrong; answers with their numbers"
    ) { call throws(MethodError) in
      var rules: [FaultRule] = []
      do throws(FaultSyntaxError) {
        switch (call.arguments["rule"], call.arguments["rules"]) {
        case (let rule?, nil): rules = [try FaultRule(value: rule)]
        case (nil, .list(let list)):
          try Faults.checkCount(list.count)
          for element in list { rules.append(try FaultRule(value: element)) }
        case (nil, .string(let text)): rules = try FaultRule.rules(ofFile: text.utf8)
        case (nil, nil): throw FaultSyntaxError("nothing")
        case (nil, _): throw FaultSyntaxError("rules that are neither list nor text")
        default: throw FaultSyntaxError("both rule and rules")
        }
        let numbers = try call.device.faults.add(contentsOf: rules)
        return .list(Value.List(numbers.map { .integer(Int64($0)) }))
      } catch {
        if error.isLimit { throw call.arguments.failure("too-many-faults", error.text) }
        throw call.arguments.bad("rule", "CHANNEL.METHOD#CALLS: FAULT", error.text)
      }
    },
    ControlMethod("faults.list", [], "lists the rules in force and how often they struck") { call in
      .list(
        Value.List(
          call.device.faults.entries.map { entry in
            var map = MapBuilder()
            map.add("number", entry.number)
            map.add("rule", entry.rule.description)
            map.add("matched", entry.matched)
            map.add("hits", entry.hits)
            return map.value
          }))
    },
    ControlMethod(
      "faults.remove", [("number", "integer")], "takes a rule back"
    ) { call throws(MethodError) in
      guard let number = try call.arguments.optionalInteger("number", in: 1...(.max)) else {
        throw call.arguments.missing("number", "the number of a rule")
      }
      guard call.device.faults.remove(number) else {
        throw call.arguments.failure("no-such-fault", "there is no rule \(number)")
      }
      return .null
    },
    ControlMethod(
      "faults.clear", [("release", "bool, optional")],
      "takes all rules back; with release lets go of the replies that a delay holds"
    ) { call throws(MethodError) in
      let releases = try call.arguments.optionalBool("release") ?? false
      call.device.faults.removeAll()
      if releases { call.device.faults.releaseHeldReplies() }
      return .null
    },
  ]
}
