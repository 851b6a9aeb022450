// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page in Markdown.
 *
 * @param name its path below the folder of the project
 * @param anchors of its headings, as GitHub and MkDocs make them
 * @param continues sections, as {@code page#anchor}, whose blocks come first when this page runs
 * @param prose its lines outside of blocks; a block's lines are empty
 */
record DocPage(String name, Set<String> anchors, List<String> continues, List<DocBlock> blocks, List<String> prose) {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern FENCE = Pattern.compile("( *)```(.*)");
    private static final Pattern HEADING = Pattern.compile("#+ +(.*)");

    DocPage {
        anchors = Set.copyOf(anchors);
        continues = List.copyOf(continues);
        blocks = List.copyOf(blocks);
        prose = List.copyOf(prose);
    }

    /** Returns the folder of the project. */
    static Path root() {
        return ROOT;
    }

    /** Returns README, CONTRIBUTING, CHANGELOG and all pages below docs. */
    static List<DocPage> all() throws IOException {
        List<DocPage> pages = new ArrayList<>();
        try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
            List<Path> files = Stream.concat(
                            Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                                    .map(ROOT::resolve),
                            docs.filter(file -> file.toString().endsWith(".md")).sorted())
                    .toList();
            for (Path file : files) {
                pages.add(read(ROOT.relativize(file).toString()));
            }
        }
        return pages;
    }

    static DocPage read(String name) throws IOException {
        return parse(name, Files.readAllLines(ROOT.resolve(name)));
    }

    static DocPage parse(String name, List<String> lines) {
        Set<String> anchors = new LinkedHashSet<>();
        List<String> continues = new ArrayList<>();
        List<DocBlock> blocks = new ArrayList<>();
        List<String> prose = new ArrayList<>();
        String heading = "";
        Optional<Mark> mark = Optional.empty();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher fence = FENCE.matcher(line);
            if (fence.matches()) {
                int indent = fence.group(1).length();
                int end = end(name, lines, i + 1);
                StringBuilder text = new StringBuilder();
                for (String each : lines.subList(i + 1, end)) {
                    text.append(each.substring(Math.min(indent, leading(each)))).append('\n');
                }
                blocks.add(new DocBlock(name, heading, i + 1, fence.group(2).strip(), mark, text.toString()));
                mark = Optional.empty();
                lines.subList(i, end + 1).forEach(each -> prose.add(""));
                i = end;
                continue;
            }
            prose.add(line);
            Matcher title = HEADING.matcher(line);
            if (title.matches()) {
                heading = anchor(title.group(1), anchors);
                anchors.add(heading);
            }
            Optional<Mark> here = Mark.in(line);
            if (here.isPresent() && here.get().kind() == Mark.Kind.CONTINUES) {
                continues.addAll(List.of(here.get().words().split(", *")));
            } else if (here.isPresent() || !line.isBlank()) {
                mark = here;
            }
        }
        return new DocPage(name, anchors, continues, blocks, prose);
    }

    private static int end(String name, List<String> lines, int from) {
        for (int i = from; i < lines.size(); i++) {
            if (lines.get(i).strip().equals("```")) {
                return i;
            }
        }
        throw new IllegalArgumentException("%s:%d: the block does not end".formatted(name, from));
    }

    private static int leading(String line) {
        return line.length() - line.stripLeading().length();
    }

    private static String anchor(String title, Set<String> taken) {
        String plain = title.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("[`*]", "");
        String anchor = plain.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .strip()
                .replace(' ', '-');
        String free = anchor;
        for (int i = 1; taken.contains(free); i++) {
            free = anchor + "-" + i;
        }
        return free;
    }
}
