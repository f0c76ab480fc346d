// https://api.flutter.dev/flutter/widgets/widgets-library.html
import 'flutter.foundation.dart';
import 'flutter.services.dart';

export 'flutter.foundation.dart' show Key, debugPrint;

class BuildContext {}

class Widget {
  const Widget({Key? key});
}

abstract class StatefulWidget extends Widget {
  const StatefulWidget({super.key});
  State<StatefulWidget> createState();
}

abstract class State<T extends StatefulWidget> {
  external bool get mounted;
  external void setState(void Function() fn);
  external void dispose();
  Widget build(BuildContext context);
}

class Text extends Widget {
  const Text(String data, {Key? key});
}

class Column extends Widget {
  const Column({Key? key, List<Widget> children = const <Widget>[]});
}

class WidgetsFlutterBinding extends ServicesBinding {
  WidgetsFlutterBinding();
}

external void runApp(Widget app);
