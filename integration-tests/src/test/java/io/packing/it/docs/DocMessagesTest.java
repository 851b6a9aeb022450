// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that the code has each message of docs/troubleshooting.md. */
class DocMessagesTest {
    /** The changing parts of a message: a format's values, a logger's braces, and values between two added texts. */
    private static final Pattern CHANGES = Pattern.compile("%[-,.0-9]*[a-zA-Z]|\\{}|\"\\s*\\+[^;\"]*?\\+\\s*\"");

    private static final Pattern ADDED = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern MESSAGE = Pattern.compile("^- `([^`]+)`: ");

    @Test
    void everyMessageIsOneOfTheCode() throws IOException {
        String code = code();
        List<String> messages = DocPage.read("docs/troubleshooting.md").prose().stream()
                .flatMap(line -> MESSAGE.matcher(line).results().map(found -> found.group(1)))
                .toList();
        assertThat(messages).hasSizeGreaterThan(30);
        assertThat(messages.stream()
                        .filter(message -> !pattern(message).matcher(code).find()))
                .as("messages that no source has")
                .isEmpty();
    }

    @Test
    void aMessageThatNobodyWritesIsFound() throws IOException {
        assertThat(pattern("the BDT master at … is asleep").matcher(code()).find())
                .isFalse();
    }

    private static Pattern pattern(String message) {
        // A changing part at either end may be empty, and would make the search slow.
        return Pattern.compile(Stream.of(message.replaceAll("^…|…$", "").split("…", -1))
                .map(Pattern::quote)
                .collect(Collectors.joining("[^\\n\"]{0,80}")));
    }

    /** Returns all texts of the main sources and of the launchers, with {@code …} for changing parts. */
    private static String code() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(DocPage.root())) {
            for (Path file : files.filter(DocMessagesTest::isSource).toList()) {
                String text = ADDED.matcher(Files.readString(file)).replaceAll("");
                all.append(CHANGES.matcher(text).replaceAll("…")).append('\n');
            }
        }
        return all.toString();
    }

    private static boolean isSource(Path file) {
        String path = DocPage.root().relativize(file).toString();
        return (path.contains("src/main/java/") && path.endsWith(".java")) || path.startsWith("dist/src/main/bin/");
    }
}
