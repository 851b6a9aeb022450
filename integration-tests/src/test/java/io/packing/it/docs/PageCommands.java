// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test that runs the commands of a page in their order, and compares their results with the page. Each page has a class of its
 * own, called after it, so that two pages run side by side.
 */
@Timeout(900)
@Tag("process")
abstract class PageCommands {
    private static final String SUFFIX = "PageIT";

    @TempDir
    private Path home;

    /** Returns the name of the class that runs README or a page of the folder {@code docs}. */
    static String classFor(String page) {
        String name = page.replaceFirst("^docs/", "").replaceFirst("\\.md$", "").toLowerCase(Locale.ROOT);
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + SUFFIX;
    }

    private String page() {
        String name = getClass().getSimpleName().replace(SUFFIX, "");
        return name.equals("Readme") ? "README.md" : "docs/" + name.toLowerCase(Locale.ROOT) + ".md";
    }

    @Test
    void theCommandsOfThePageDoWhatItSays() throws Exception {
        String name = page();
        DocMachine machine = DocMachine.in(home);
        List<DocBlock> blocks = DocSections.of(DocPage.read(name));
        try (OtherPrograms others = OtherPrograms.start(home, machine, blocks);
                DocShell shell = DocShell.start(machine.folder(), machine.environment())) {
            for (DocBlock block : blocks) {
                if (block.mark().isPresent()) {
                    run(block, block.mark().get(), machine, shell);
                }
            }
        }
    }

    private static void run(DocBlock block, Mark mark, DocMachine machine, DocShell shell)
            throws IOException, InterruptedException {
        String text = machine.translate(block.text());
        switch (mark.kind()) {
            case FILE -> {
                Path file = machine.folder().resolve(machine.translate(mark.words()));
                Files.createDirectories(file.getParent());
                boolean worker = mark.words().endsWith(".args") && text.contains("--id ");
                boolean workerFile = mark.words().endsWith("worker.conf");
                String more = "";
                if (worker) {
                    more = "--port 0\n";
                } else if (workerFile) {
                    more = "worker.port = 0\n";
                }
                Files.writeString(file, text + more);
            }
            case RUN -> {
                int code = shell.run(text, mark.exitCode().isPresent());
                assertThat(code)
                        .as("exit code of %s:%n%s", block, shell.output())
                        .isEqualTo(mark.exitCode().orElse(0));
                if (mark.until().isPresent()) {
                    shell.awaitText(mark.until().get());
                }
            }
            case PRINTS ->
                assertThat(shell.output())
                        .as("what was printed before %s", block)
                        .matches(pattern(text));
            case NOT_RUN, CONTINUES -> {}
        }
    }

    /** Makes a pattern for lines in this order, with any lines between them. */
    private static Pattern pattern(String text) {
        return Pattern.compile(text.strip()
                .lines()
                .map(line -> Stream.of(line.strip().split("…", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("[^\\n]*")))
                .collect(Collectors.joining("[^\\n]*\\n(?s:.*)", "(?s:.*)", "(?s:.*)")));
    }
}
