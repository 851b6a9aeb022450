// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A writer of lines for people. A name in them may have any character but a slash and NUL: it must neither control the terminal nor look like
 * lines of the command's own. So characters that a terminal obeys are written as in JSON, such as <code>&#92;u001b</code>. Only formats and
 * {@code println} end lines.
 */
final class PrintableWriter extends PrintWriter {
    /** @param out flushed with this writer, and not closed */
    PrintableWriter(PrintWriter out) {
        super(out, true);
    }

    /** Returns a text with all characters escaped that a terminal obeys, ends of lines included. */
    static String line(String text) {
        return text.codePoints().anyMatch(PrintableWriter::isObeyed) ? escaped(text, false) : text;
    }

    /** Returns a text of several lines with the other characters escaped that a terminal obeys. */
    static String lines(String text) {
        return text.codePoints().anyMatch(PrintableWriter::isObeyed) ? escaped(text, true) : text;
    }

    private static String escaped(String text, boolean keepsLines) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(each -> {
            if (isObeyed(each) && !(keepsLines && each == '\n')) {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", each));
            } else {
                escaped.appendCodePoint(each);
            }
        });
        return escaped.toString();
    }

    /** Returns whether it is a control character, ends a line, or changes the direction of the text behind it. */
    private static boolean isObeyed(int codePoint) {
        return Character.isISOControl(codePoint)
                || codePoint == 0x2028
                || codePoint == 0x2029
                || (codePoint >= 0x202a && codePoint <= 0x202e)
                || (codePoint >= 0x2066 && codePoint <= 0x2069);
    }

    @Override
    public void print(@Nullable String text) {
        super.print(line(String.valueOf(text)));
    }

    @Override
    public void print(@Nullable Object value) {
        super.print(line(String.valueOf(value)));
    }

    @Override
    public PrintWriter format(String format, @Nullable Object... values) {
        return super.format(format, printable(values));
    }

    @Override
    public PrintWriter format(@Nullable Locale locale, String format, @Nullable Object... values) {
        return super.format(locale, format, printable(values));
    }

    private static @Nullable Object[] printable(@Nullable Object[] values) {
        @Nullable Object[] printable = new @Nullable Object[values.length];
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            boolean isText = value != null && !(value instanceof Number) && !(value instanceof Character);
            printable[i] = isText ? line(value.toString()) : value;
        }
        return printable;
    }

    @Override
    public void close() {
        flush();
    }
}
