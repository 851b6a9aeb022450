// SPDX-License-Identifier: Apache-2.0
package io.packing.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The parts of a page that all reports share: the head with the stylesheet, the foot, and text that is safe in markup. */
public final class Pages {
    /** The end of a page that began with {@link #head}. */
    public static final String FOOT = "</main></body></html>\n";

    private Pages() {}

    /** Returns the stylesheet, for a server that serves it as a file. */
    public static String style() {
        try (InputStream in = Pages.class.getResourceAsStream("style.css")) {
            if (in == null) {
                throw new IllegalStateException("the class path lacks style.css of the pages");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the beginning of a report that needs no other file, up to {@code <main>} and its heading. */
    public static String head(String title) {
        return head(title, "") + "<main>\n<h1>" + escape(title) + "</h1>\n";
    }

    /**
     * Returns the beginning of a report up to its body, for a page that has more than one part.
     *
     * @param kind class of the body; may be empty
     */
    public static String head(String title, String kind) {
        return """
                <!doctype html>
                <html lang="en"><head><meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                %s</style></head><body class="%s">
                """.formatted(escape(title), style(), escape(kind));
    }

    /** Returns a text with the characters replaced that have a meaning in markup. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
