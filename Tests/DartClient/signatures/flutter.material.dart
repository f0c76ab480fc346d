// https://api.flutter.dev/flutter/material/material-library.html
import 'flutter.widgets.dart';

export 'flutter.widgets.dart';

class MaterialApp extends StatefulWidget {
  const MaterialApp({super.key, Widget? home});
}

class TextButton extends StatefulWidget {
  const TextButton({super.key, required void Function()? onPressed, required Widget child});
}
