// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A comment above a block that tells a test how to treat the block. CONTRIBUTING.md explains the kinds.
 *
 * @param words text behind the kind: a path, a reason, or nothing
 */
record Mark(Kind kind, String words) {
    private static final Pattern COMMENT = Pattern.compile("<!--\\s*([a-z ]+?)\\s*(?::\\s*(.*?))?\\s*-->");
    private static final Pattern EXIT = Pattern.compile("exits (\\d+)");
    private static final Pattern UNTIL = Pattern.compile("until (.+)");

    enum Kind {
        /**
         * The commands run in the page's shell. {@code exits N}: with this code; {@code until TEXT}: until a daemon
         * prints that.
         */
        RUN("run"),
        /** The text goes into the named file. */
        FILE("file"),
        /** The commands before it print this; {@code …} stands for any text. */
        PRINTS("prints"),
        /** The block does not run; the words have the reason. */
        NOT_RUN("not run"),
        /** The blocks of these sections come before those of this page; the mark has no block. */
        CONTINUES("continues");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** Returns the mark in a line, if it is one. */
    static Optional<Mark> in(String line) {
        Matcher comment = COMMENT.matcher(line.strip());
        if (!comment.matches()) {
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind.text.equals(comment.group(1))) {
                return Optional.of(new Mark(kind, comment.group(2) == null ? "" : comment.group(2)));
            }
        }
        return Optional.empty();
    }

    /** Returns the mistake in the mark; empty without one. */
    String problem() {
        return switch (kind) {
            case RUN ->
                words.isEmpty()
                                || EXIT.matcher(words).matches()
                                || UNTIL.matcher(words).matches()
                        ? ""
                        : "'run' takes nothing, 'exits N' or 'until TEXT'";
            case PRINTS -> words.isEmpty() ? "" : "'prints' takes nothing";
            case FILE, NOT_RUN, CONTINUES -> words.isEmpty() ? "'%s' wants words".formatted(kind.text) : "";
        };
    }

    OptionalInt exitCode() {
        Matcher exit = EXIT.matcher(words);
        return kind == Kind.RUN && exit.matches()
                ? OptionalInt.of(Integer.parseInt(exit.group(1)))
                : OptionalInt.empty();
    }

    Optional<String> until() {
        Matcher until = UNTIL.matcher(words);
        return kind == Kind.RUN && until.matches() ? Optional.of(until.group(1)) : Optional.empty();
    }
}
