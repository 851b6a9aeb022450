// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.process.leash.Leash;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JavaCommandTest {
    private static final JavaCommand COMMAND = new JavaCommand(
            "name", "a.Main", List.of("x", "y/*"), 64, Map.of("k", "v"), List.of("word"), Map.of("S", "secret"));

    @Test
    void optionsOfTheJvmComeAfterOurOwnSoThatTheyHold() {
        List<String> words = COMMAND.withJvmOptions(List.of("-Xmn8m")).words();
        assertThat(words.indexOf("-Xmn8m"))
                .isGreaterThan(words.indexOf("-Xmn32m"))
                .isLessThan(words.indexOf("-cp"));
    }

    @Test
    void optionsOfAllChildrenAreOverriddenByThoseOfOne() {
        String before = System.getProperty("packing.child.options", "");
        System.setProperty("packing.child.options", " -Xmn7m  -XX:-UsePerfData ");
        try {
            assertThat(COMMAND.withJvmOptions(List.of("-Xmn8m")).words())
                    .containsSubsequence("-Xmn32m", "-Xmn7m", "-XX:-UsePerfData", "-Xmn8m", "-cp");
        } finally {
            System.setProperty("packing.child.options", before);
        }
    }

    @Test
    void rewrittenClassesOfAnotherRuntimeAreVerifiedWhateverTheOptionsOfAllChildrenSay() {
        String before = System.getProperty("packing.child.options", "");
        System.setProperty("packing.child.options", "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote");
        try {
            assertThat(COMMAND.words()).doesNotContain("-XX:+BytecodeVerificationRemote");
            assertThat(COMMAND.withJava(Path.of("/other")).words())
                    .containsSubsequence("-XX:-BytecodeVerificationRemote", "-XX:+BytecodeVerificationRemote", "-cp");
        } finally {
            System.setProperty("packing.child.options", before);
        }
    }

    @Test
    void theMainClassRunsOnALeashWithItsWords() {
        assertThat(COMMAND.words())
                .endsWith(Leash.class.getName(), "a.Main", "word")
                .contains("-Xmx64m", "-Dk=v");
    }

    @Test
    void secretsAreNeitherInTheCommandLineNorInWhatIsPrinted() {
        assertThat(COMMAND.words()).noneMatch(word -> word.contains("secret"));
        assertThat(COMMAND.toString()).doesNotContain("secret");
    }
}
