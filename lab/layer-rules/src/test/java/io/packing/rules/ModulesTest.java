// SPDX-License-Identifier: Apache-2.0
package io.packing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules over the poms: what ships depends on no module of the laboratory, and modules are few. */
class ModulesTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    /**
     * A module is a jar that some of its users want without the others, or a class path of its own. Where a package suffices, the rules between packages keep the order.
     */
    private static final int MOST_MODULES = 38;

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern DEPENDENCY = Pattern.compile(
            "(?s)<dependency>\\s*(?:<!--.*?-->\\s*)?<groupId>io\\.packing</groupId>\\s*<artifactId>([^<]+)</artifactId>(.*?)</dependency>");

    private static final Pattern PROFILE_OF_TESTS =
            Pattern.compile("(?s)<profile>(?:(?!</profile>).)*<name>!maven\\.test\\.skip</name>.*?</profile>");

    /** A module: its folder, and the modules of this project that it needs when it runs. */
    private record Module(String folder, Set<String> needs) {
        boolean isOfTheLaboratory() {
            return folder.startsWith("lab/");
        }
    }

    private static List<String> folders() throws IOException {
        return MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static Map<String, Module> modules() throws IOException {
        Map<String, Module> modules = new LinkedHashMap<>();
        for (String folder : folders()) {
            String pom = Files.readString(ROOT.resolve(folder).resolve("pom.xml"));
            Set<String> needs = new TreeSet<>();
            for (MatchResult found : DEPENDENCY.matcher(pom).results().toList()) {
                if (!found.group(2).contains("<scope>test</scope>")) {
                    needs.add(found.group(1));
                }
            }
            String artifact = ARTIFACT.matcher(pom)
                    .results()
                    .findFirst()
                    .map(found -> found.group(1))
                    .orElse(folder);
            modules.put(artifact, new Module(folder, needs));
        }
        return modules;
    }

    private static Module module(Map<String, Module> modules, String artifact) {
        return Objects.requireNonNull(modules.get(artifact), "no module has the artifact " + artifact);
    }

    @Test
    void modulesAreFew() throws IOException {
        assertThat(folders()).hasSizeLessThanOrEqualTo(MOST_MODULES);
    }

    /** The launchers build without tests ({@code -Dmaven.test.skip}), and Maven makes no jar of tests then. */
    @Test
    void aBuildWithoutTestsNeedsNoJarOfTests() throws IOException {
        for (String folder : folders()) {
            String pom = Files.readString(ROOT.resolve(folder).resolve("pom.xml"));
            String always = PROFILE_OF_TESTS.matcher(pom).replaceAll("");
            assertThat(DEPENDENCY.matcher(always).results().map(found -> found.group(2)))
                    .as(folder)
                    .noneMatch(dependency -> dependency.contains("<type>test-jar</type>"));
        }
    }

    @Test
    void theDistributionHasNoModuleOfTheLaboratory() throws IOException {
        Map<String, Module> modules = modules();
        Set<String> shipped = new TreeSet<>();
        List<String> next = new ArrayList<>(List.of("dist"));
        while (!next.isEmpty()) {
            String artifact = next.remove(next.size() - 1);
            if (shipped.add(artifact)) {
                next.addAll(module(modules, artifact).needs());
            }
        }
        assertThat(shipped).contains("cli", "operations", "bdt-master", "worker-buffer", "packing-hadoop");
        assertThat(shipped.stream().filter(artifact -> module(modules, artifact).isOfTheLaboratory()))
                .isEmpty();
    }

    @Test
    void noModuleOutsideOfTheLaboratoryNeedsItWhenItRuns() throws IOException {
        Map<String, Module> modules = modules();
        Set<String> laboratory = new TreeSet<>();
        modules.forEach((artifact, module) -> {
            if (module.isOfTheLaboratory()) {
                laboratory.add(artifact);
            }
        });
        assertThat(laboratory).contains("experiments", "rig");
        modules.forEach((artifact, module) -> {
            if (!module.isOfTheLaboratory()) {
                assertThat(module.needs()).as(artifact).doesNotContainAnyElementsOf(laboratory);
            }
        });
    }
}
