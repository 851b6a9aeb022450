// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that links lead to existing files: in a clone, and in the distribution, which has fewer. */
class DocLinksTest {
    private static final Pattern LINK = Pattern.compile("(?<!`)\\[[^]]*]\\(([^)\\s]+)\\)");
    private static final Pattern FILES = Pattern.compile(
            "<directory>\\$\\{maven.multiModuleProjectDirectory}/?([^<]*)</directory>(.*?)</fileSet>", Pattern.DOTALL);
    private static final Pattern INCLUDED = Pattern.compile("<include>([^<*]+)(?:\\*\\*)?</include>");

    private record Link(DocPage page, String to) {
        /** Returns the target below the folder of the project; a fragment alone leads to its own page. */
        Path target() {
            String path = to.split("#", 2)[0];
            Path from = DocPage.root().resolve(page.name());
            return path.isEmpty() ? from : from.resolveSibling(path).normalize();
        }

        String fragment() {
            return to.contains("#") ? to.substring(to.indexOf('#') + 1) : "";
        }

        @Override
        public String toString() {
            return "%s: %s".formatted(page.name(), to);
        }
    }

    private static List<Link> links(List<DocPage> pages) {
        List<Link> links = new ArrayList<>();
        for (DocPage page : pages) {
            for (String line : page.prose()) {
                LINK.matcher(line.replaceAll("`[^`]*`", ""))
                        .results()
                        .map(found -> found.group(1))
                        .filter(to -> !to.matches("[a-z]+:.*"))
                        .forEach(to -> links.add(new Link(page, to)));
            }
        }
        return links;
    }

    @Test
    void everyLinkLeadsToAFileAndAHeadingThatAreThere() throws IOException {
        List<DocPage> pages = DocPage.all();
        Map<Path, Set<String>> anchors = new HashMap<>();
        pages.forEach(page -> anchors.put(DocPage.root().resolve(page.name()), page.anchors()));
        List<String> broken = new ArrayList<>();
        for (Link link : links(pages)) {
            if (!Files.exists(link.target())) {
                broken.add(link + " is not there");
            } else if (!link.fragment().isEmpty()
                    && !anchors.getOrDefault(link.target(), Set.of()).contains(link.fragment())) {
                broken.add(link + " has no such heading");
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyLinkLeadsToWhatTheDistributionHasToo() throws IOException {
        List<Path> packed = packed();
        assertThat(packed)
                .contains(DocPage.root().resolve("README.md"), DocPage.root().resolve("docs"));
        assertThat(links(DocPage.all()).stream()
                        .filter(link -> packed.stream().noneMatch(link.target()::startsWith))
                        .filter(link -> !link.target().equals(DocPage.root()))
                        .map(Link::toString))
                .isEmpty();
    }

    /** Returns the files and folders of the project that are in the distribution under their own names. */
    private static List<Path> packed() throws IOException {
        String assembly = Files.readString(DocPage.root().resolve("dist/src/main/assembly.xml"));
        List<Path> packed = new ArrayList<>();
        for (MatchResult set : FILES.matcher(assembly).results().toList()) {
            Path folder = DocPage.root().resolve(set.group(1));
            Matcher included = INCLUDED.matcher(set.group(2));
            if (!included.find()) {
                packed.add(folder);
                continue;
            }
            do {
                packed.add(folder.resolve(included.group(1)).normalize());
            } while (included.find());
        }
        return packed;
    }

    @Test
    void theSiteNamesEveryPage() throws IOException {
        String site = Files.readString(DocPage.root().resolve("mkdocs.yml"));
        try (Stream<Path> pages = Files.list(DocPage.root().resolve("docs"))) {
            assertThat(pages.map(page -> page.getFileName().toString())
                            .filter(name -> name.endsWith(".md"))
                            .filter(name -> !site.contains(": " + name + "\n")))
                    .isEmpty();
        }
    }
}
