// What the client's Flutter packages use of package:flutter/widgets.dart.

export 'services.dart' show WidgetsFlutterBinding;
