/// What the control channel answers with, made comfortable. Each value keeps the whole map, so
/// that what has no getter here can be read by its name.
library;

/// A map of names and values.
class PwFields {
  PwFields(Object? value) : fields = (value! as Map<Object?, Object?>).cast<String, Object?>();

  /// Everything, by the names in Protocol/control.md.
  final Map<String, Object?> fields;

  Object? operator [](String name) => fields[name];

  /// A list of maps.
  static List<PwFields> list(Object? value) {
    return <PwFields>[for (final Object? item in value! as List<Object?>) PwFields(item)];
  }

  @override
  String toString() => '$fields';
}

/// A Live Activity.
class PwActivity extends PwFields {
  PwActivity(super.value);

  String get id => fields['id']! as String;

  /// Counts starts on this device.
  int get number => fields['number']! as int;

  /// `pending`, `active`, `stale`, `ended` or `dismissed`.
  String get state => fields['state']! as String;

  Object? get attributes => fields['attributes'];

  Map<String, Object?> get contentState {
    return (fields['contentState']! as Map<Object?, Object?>).cast<String, Object?>();
  }

  int get updates => fields['updates']! as int;
  String? get pushToken => fields['pushToken'] as String?;

  /// Who ended it: `app`, `system`, `push` and so on; null while it runs.
  String? get endedBy => fields['endedBy'] as String?;
}

/// What the device's clock shows.
class PwClock extends PwFields {
  PwClock(super.value);

  /// `real` or `stepped`.
  String get mode => fields['mode']! as String;

  /// Since 1970-01-01 00:00 UTC.
  int get microseconds => fields['microseconds']! as int;

  DateTime get time => DateTime.fromMicrosecondsSinceEpoch(microseconds, isUtc: true);
}

/// A call in the journal.
class PwJournalEntry extends PwFields {
  PwJournalEntry(super.value);

  int get number => fields['number']! as int;

  /// `received` from Dart, or `sent` to it.
  String get direction => fields['direction']! as String;
  String get channel => fields['channel']! as String;

  /// Null where the message is no method call.
  String? get method => fields['method'] as String?;
  Object? get arguments => fields['arguments'];

  /// `success`, `error`, `notImplemented`, `dropped` and so on; `open` while there is none.
  String get outcome => fields['outcome']! as String;

  /// Null while it is open.
  double? get microseconds => (fields['microseconds'] as num?)?.toDouble();
}

/// A piece of the journal.
class PwJournal extends PwFields {
  PwJournal(super.value);

  List<PwJournalEntry> get entries {
    return <PwJournalEntry>[
      for (final Object? item in fields['entries']! as List<Object?>) PwJournalEntry(item),
    ];
  }

  /// Give it as `since` to go on.
  int get next => fields['next']! as int;

  /// Whether the limit cut something off.
  bool get more => fields['more']! as bool;
}

/// What became of a push.
class PwPushResult extends PwFields {
  PwPushResult(super.value);

  bool get hadEffect => fields['hadEffect']! as bool;
  List<PwFields> get results => PwFields.list(fields['results']);

  /// What APNs and the device would keep to themselves.
  List<PwFields> get faults => PwFields.list(fields['faults']);
}
