/// The channel `pwbridge/control`: what the person, the system, a server and native code do while
/// Dart looks on. Protocol/control.md explains each method; the names here are the same, with
/// capitals where there is a dot.
library;

import 'dart:typed_data';

import 'channels.dart';
import 'control_values.dart';

/// Steers the emulated device.
///
/// Every method fails with a [PwPlatformException] for an error of the channel, such as
/// `bad-arguments`, and as `PwCall.reply` does.
class PwControl {
  const PwControl(this.channel);

  static const String channelName = 'pwbridge/control';

  final PwMethodChannel channel;

  /// Calls any method of the channel, for what has no helper here.
  Future<Object?> invoke(String method, [Object? arguments]) {
    return channel.invokeMethod<Object?>(method, arguments);
  }

  Future<Object?> _call(String method, Map<String, Object?> arguments) {
    return invoke(method, arguments.isEmpty ? null : arguments);
  }

  // What there is to see

  /// The methods of this channel, or one of them.
  Future<List<PwFields>> help({String? method}) async {
    return PwFields.list(
      await _call('help', <String, Object?>{if (method != null) 'method': method}),
    );
  }

  /// Name, handler, clock and channels of the device.
  Future<PwFields> device() async => PwFields(await invoke('device'));

  /// Every device option with its value.
  Future<List<PwFields>> options() async => PwFields.list(await invoke('options'));

  /// The switches, limits and activities of the device.
  Future<PwFields> state() async => PwFields(await invoke('state'));

  /// The activities on screen in order of start; with [all] also those that are gone.
  Future<List<PwActivity>> activities({bool all = false}) async {
    final Object? found = await _call('activities', <String, Object?>{if (all) 'all': true});
    return <PwActivity>[for (final Object? item in found! as List<Object?>) PwActivity(item)];
  }

  /// One activity; without [id] the one that the channel `PW` holds the handle to, or null.
  Future<PwActivity?> activity({String? id}) async {
    final Object? found = await _call('activity', <String, Object?>{if (id != null) 'id': id});
    return found == null ? null : PwActivity(found);
  }

  /// Calls that were made, oldest first. [channel] may have `*` and `?`; [open] lists only those
  /// that have no outcome yet.
  Future<PwJournal> journal({
    int? since,
    int? limit,
    String? channel,
    bool control = false,
    bool open = false,
  }) async {
    return PwJournal(
      await _call('journal', <String, Object?>{
        if (since != null) 'since': since,
        if (limit != null) 'limit': limit,
        if (channel != null) 'channel': channel,
        if (control) 'control': true,
        if (open) 'open': true,
      }),
    );
  }

  /// Counts since the last reset.
  Future<PwFields> totals() async => PwFields(await invoke('totals'));

  /// Push tokens of the app and of the activities.
  Future<PwFields> tokens() async => PwFields(await invoke('tokens'));

  /// What the Pushwoosh SDK would have sent to its server.
  Future<List<PwFields>> serverRequests({int? since}) async {
    return PwFields.list(
      await _call('serverRequests', <String, Object?>{if (since != null) 'since': since}),
    );
  }

  // What the person, the system and time do

  /// Puts the device back to how it was made.
  Future<void> reset() => invoke('reset');

  /// What the device's clock shows.
  Future<PwClock> clockNow() async => PwClock(await invoke('clock.now'));

  /// Moves the device's clock on; what falls due happens on the way.
  Future<PwClock> clockAdvance(Duration by) async {
    return PwClock(
      await _call('clock.advance', <String, Object?>{'microseconds': by.inMicroseconds}),
    );
  }

  /// The person switches Live Activities on or off.
  Future<void> setAuthorization({required bool enabled, bool? frequentPushes}) {
    return _call('setAuthorization', <String, Object?>{
      'enabled': enabled,
      if (frequentPushes != null) 'frequentPushes': frequentPushes,
    });
  }

  /// In the background the app cannot start an activity.
  Future<void> setForeground({required bool foreground}) {
    return _call('setForeground', <String, Object?>{'foreground': foreground});
  }

  /// Sets several device options at once; null stands for `none`.
  Future<void> setLimits(Map<String, Object?> limits) => invoke('setLimits', limits);

  /// Sets a device option that can be set while the device runs.
  Future<void> setOption(String name, Object? value) {
    return _call('setOption', <String, Object?>{'name': name, 'value': value});
  }

  /// The next start fails with this case of `ActivityAuthorizationError`; null takes it back.
  Future<void> failNextRequest(String? reason) {
    return _call('failNextRequest', <String, Object?>{'reason': reason});
  }

  /// The person swipes an activity away.
  Future<PwFields> dismiss(String id) async {
    return PwFields(await _call('dismiss', <String, Object?>{'id': id}));
  }

  /// Changes a push token and returns the new one; without [id] the app's push-to-start token.
  Future<String?> rotateToken({String? id}) async {
    final Object? token =
        await _call('rotateToken', <String, Object?>{if (id != null) 'id': id});
    return token as String?;
  }

  /// Runs the tasks that a race holds back and returns their number.
  Future<int> runTasks() async => (await invoke('runTasks'))! as int;

  // What servers do

  /// Delivers an APNs payload: a map, or JSON text.
  Future<PwPushResult> deliverPush(
    Object payload, {
    String? token,
    String? id,
    String? channel,
    int? priority,
  }) async {
    return PwPushResult(
      await _call('deliverPush', <String, Object?>{
        'payload': payload,
        if (token != null) 'token': token,
        if (id != null) 'id': id,
        if (channel != null) 'channel': channel,
        if (priority != null) 'priority': priority,
      }),
    );
  }

  /// What is sent to Pushwoosh's API: a map, or JSON text with comments.
  Future<PwPushResult> serverRequest(Object request) async {
    return PwPushResult(
      await _call('serverRequest', <String, Object?>{'request': request}),
    );
  }

  // What goes wrong on purpose

  /// Adds a rule, such as `PW.updateLiveActivity#2: delay 200ms`, and returns its number.
  Future<int> addFault(String rule) async {
    final Object? numbers = await _call('faults.add', <String, Object?>{'rule': rule});
    return (numbers! as List<Object?>).first! as int;
  }

  /// Adds rules, each a text or a map, and returns their numbers.
  Future<List<int>> addFaults(List<Object> rules) async {
    final Object? numbers = await _call('faults.add', <String, Object?>{'rules': rules});
    return (numbers! as List<Object?>).cast<int>();
  }

  /// The rules, with how often each struck.
  Future<List<PwFields>> faults() async => PwFields.list(await invoke('faults.list'));

  Future<void> removeFault(int number) {
    return _call('faults.remove', <String, Object?>{'number': number});
  }

  /// Takes all rules away; with [release] also lets go of replies that a delay holds.
  Future<void> clearFaults({bool release = false}) {
    return _call('faults.clear', <String, Object?>{if (release) 'release': true});
  }

  // What native code says to Dart

  /// The event channels, and whether Dart listens.
  Future<List<PwFields>> eventChannels() async {
    return PwFields.list(await invoke('eventChannels'));
  }

  /// Makes another event channel.
  Future<void> addEventChannel(String channel) {
    return _call('addEventChannel', <String, Object?>{'channel': channel});
  }

  Future<void> sendEvent(String channel, Object? event) {
    return _call('sendEvent', <String, Object?>{'channel': channel, 'event': event});
  }

  Future<void> sendEventError(
    String channel, {
    required String code,
    String? message,
    Object? details,
  }) {
    return _call('sendEvent', <String, Object?>{
      'channel': channel,
      'error': <String, Object?>{'code': code, 'message': message, 'details': details},
    });
  }

  Future<void> endEvents(String channel) {
    return _call('sendEvent', <String, Object?>{'channel': channel, 'end': true});
  }

  /// Native code calls a Dart method; answers once Dart has. [timeout] counts on the device's
  /// clock.
  Future<PwFields> invokeDart(
    String channel,
    String method, {
    Object? arguments,
    Duration? timeout,
  }) async {
    return PwFields(
      await _call('invokeDart', <String, Object?>{
        'channel': channel,
        'method': method,
        'arguments': arguments,
        if (timeout != null) 'timeout': _seconds(timeout),
      }),
    );
  }

  /// Native code calls a Dart method and wants no reply.
  Future<void> postToDart(String channel, String method, {Object? arguments}) {
    return _call('invokeDart', <String, Object?>{
      'channel': channel,
      'method': method,
      'arguments': arguments,
      'wait': false,
    });
  }

  /// Native code sends bytes to Dart; answers once Dart has.
  Future<PwFields> sendMessage(String channel, Uint8List? message, {Duration? timeout}) async {
    return PwFields(
      await _call('sendMessage', <String, Object?>{
        'channel': channel,
        'message': message,
        if (timeout != null) 'timeout': _seconds(timeout),
      }),
    );
  }

  /// Native code sends bytes to Dart and wants no reply.
  Future<void> postMessage(String channel, Uint8List? message) {
    return _call('sendMessage', <String, Object?>{
      'channel': channel,
      'message': message,
      'wait': false,
    });
  }

  static double _seconds(Duration span) => span.inMicroseconds / Duration.microsecondsPerSecond;
}
