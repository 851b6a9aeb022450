package io.packing.it.docs;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a comment above a block says of how a test treats it. CONTRIBUTING.md explains the kinds.
 *
 * @param words what stands behind the kind: a path, a reason, or nothing
 */
record Mark(Kind kind, String words) {
    private static final Pattern COMMENT = Pattern.compile("<!--\\s*([a-z ]+?)\\s*(?::\\s*(.*?))?\\s*-->");
    private static final Pattern EXIT = Pattern.compile("exits (\\d+)");
    private static final Pattern UNTIL = Pattern.compile("until (.+)");

    enum Kind {
        /** The commands run in the page's shell. {@code exits N}: with this code; {@code until TEXT}: until a daemon prints that. */
        RUN("run"),
        /** The text goes into the file that is named. */
        FILE("file"),
        /** What the commands before it print; {@code …} stands for anything. */
        PRINTS("prints"),
        /** Nothing runs; the words say why. */
        NOT_RUN("not run"),
        /** Sections of pages whose blocks come before those of this page; stands by itself. */
        CONTINUES("continues");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** The mark in a line, if it is one. */
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

    /** What is wrong with it; empty: nothing. */
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
