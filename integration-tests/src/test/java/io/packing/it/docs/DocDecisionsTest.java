package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A test that the list at the head of the page of decisions equals its sections. */
class DocDecisionsTest {
    private static final Pattern CHAPTER_OF_LIST = Pattern.compile("\\*\\*(.+)\\*\\*");
    private static final Pattern LISTED = Pattern.compile("- \\[(.+)]\\(#.+\\)");
    private static final Pattern HEAD = Pattern.compile("Date: \\d{4}-\\d{2}-\\d{2}[^·]* · Status: .+");

    /** A decision, with its chapter. */
    private record Decision(String chapter, String title) {}

    private static List<String> lines() throws IOException {
        return Files.readAllLines(DocPage.root().resolve("docs/decisions.md"));
    }

    private static List<Decision> listed(List<String> lines) {
        List<Decision> listed = new ArrayList<>();
        String chapter = "";
        for (String line : lines) {
            Matcher heading = CHAPTER_OF_LIST.matcher(line);
            Matcher entry = LISTED.matcher(line);
            if (heading.matches()) {
                chapter = heading.group(1);
            } else if (entry.matches()) {
                listed.add(new Decision(chapter, entry.group(1)));
            } else if (line.startsWith("## ")) {
                break;
            }
        }
        return listed;
    }

    private static List<Decision> sections(List<String> lines) {
        List<Decision> sections = new ArrayList<>();
        String chapter = "";
        for (String line : lines) {
            if (line.startsWith("# ")) {
                chapter = line.substring(2);
            } else if (line.startsWith("## ")) {
                sections.add(new Decision(chapter, line.substring(3)));
            }
        }
        return sections;
    }

    @Test
    void theListHasEveryDecisionInItsChapterAndInTheOrderOfThePage() throws IOException {
        List<String> lines = lines();
        assertThat(listed(lines)).hasSizeGreaterThan(100).isEqualTo(sections(lines));
    }

    @Test
    void everyDecisionHasADateAStatusAndItsReasons() throws IOException {
        List<String> lines = lines();
        List<String> bare = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).startsWith("## ")) {
                continue;
            }
            int end = i + 1;
            while (end < lines.size() && !lines.get(end).startsWith("#")) {
                end++;
            }
            String section = String.join("\n", lines.subList(i + 1, end));
            boolean hasReasons = section.contains("**Context.**") && section.contains("**Decision.**");
            if (!HEAD.matcher(lines.get(i + 1)).matches() || !hasReasons) {
                bare.add(lines.get(i));
            }
        }
        assertThat(bare).isEmpty();
    }
}
