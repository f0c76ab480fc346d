/// Lets Flutter's own tests talk to PWBridge in place of a phone.
library;

export 'package:pwbridge/pwbridge.dart';

export 'src/binary_messenger.dart';
