// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test that every rule of the style finds a breach, and accepts code that only looks like one. */
class StyleRuleBreachTest {
    private static JavaSource main(String text) {
        return JavaSource.of("base/common", "base/common/src/main/java/a/A.java", text);
    }

    private static JavaSource test(String text) {
        return JavaSource.of("base/common", "base/common/src/test/java/a/A.java", text);
    }

    private static void assertBroken(StyleRule rule, JavaSource source) {
        assertThat(rule.breaches(source)).as(source.text()).hasSize(1);
    }

    private static void assertKept(StyleRule rule, JavaSource source) {
        assertThat(rule.breaches(source)).as(source.text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "var x = 1;",
                "for (var x : all) {}",
                "try (var in = open()) {}",
                "f((var x) -> 1);",
                "String quote = \"\\\"\"; var x = \"//\";"
            })
    void varIsFound(String text) {
        assertBroken(StyleRules.EXPLICIT_TYPES, main(text));
        assertBroken(StyleRules.EXPLICIT_TYPES, test(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "int variable = 1;",
                "// var x = 1;",
                "/* var\n x = 1; */",
                "String s = \"var x = 1;\";",
                "char c = '\"'; // var x = 1",
                "String s = \"\"\"\n var x = \"1\";\n \\\"\"\" var y = 1;\n\"\"\";"
            })
    void varIsNotFoundWhereThereIsNone(String text) {
        assertKept(StyleRules.EXPLICIT_TYPES, main(text));
    }

    @Test
    void aBreachIsShownWithItsLine() {
        assertThat(StyleRules.EXPLICIT_TYPES.breaches(main("/* a\n b */\n\"\"\"\n\n\"\"\";\nvar x = 1;")))
                .singleElement()
                .asString()
                .startsWith("base/common/src/main/java/a/A.java:6: var x =");
    }

    @Test
    void anotherNameOfALoggerIsFound() {
        assertBroken(
                StyleRules.ONE_NAME_FOR_LOGGERS,
                main("private static final Logger log = LoggerFactory.getLogger(A.class);"));
        assertBroken(StyleRules.ONE_NAME_FOR_LOGGERS, main("Logger log = LoggerFactory.getLogger(A.class);"));
        assertKept(
                StyleRules.ONE_NAME_FOR_LOGGERS,
                main("private static final Logger LOG = LoggerFactory.getLogger(A.class);"));
    }

    @Test
    void assertIsFoundInMainCodeOnly() {
        assertBroken(StyleRules.NO_ASSERT, main("assert x > 0;"));
        assertBroken(StyleRules.NO_ASSERT, main("assert(x > 0);"));
        assertKept(StyleRules.NO_ASSERT, main("assertThat(x); // assert x;"));
        assertKept(StyleRules.NO_ASSERT, test("assert x > 0;"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Random()",
                "new Random(1)",
                "new Random( -0x1fL )",
                "new SplittableRandom(20_261_121)",
                "new java.util.Random(7)"
            })
    void aSeedThatNobodyChoseIsFoundInTests(String text) {
        assertBroken(StyleRules.SEEDED_TESTS, test(text));
        assertKept(StyleRules.SEEDED_TESTS, test("new Random(seed + 1)"));
    }

    @Test
    void aSeedBehindAVariableIsFoundInTests() {
        String fixed = "long seed = 7; Random random = new Random(seed);";
        assertBroken(StyleRules.SEED_IS_TAKEN, test(fixed));
        assertBroken(StyleRules.SEED_IS_TAKEN, test("RandomGeneratorFactory.of(NAME).create(42)"));
        assertBroken(StyleRules.SEED_IS_TAKEN, test("long seed = Long.getLong(\"packing.seed\", 1);"));
        assertKept(StyleRules.SEED_IS_TAKEN, test("long seed = Seed.value() + 1; Random random = new Random(seed);"));
        assertKept(StyleRules.SEED_IS_TAKEN, main(fixed));
    }

    @Test
    void aLongFileIsFound() {
        String line = "// a line\n";
        assertBroken(StyleRules.SMALL_FILES, test(line.repeat(StyleRules.MOST_LINES + 1)));
        assertKept(StyleRules.SMALL_FILES, main(line.repeat(StyleRules.MOST_LINES)));
    }

    @Test
    void aClassThatCouldBeImportedIsFound() {
        String imports = "import java.util.List;\nimport org.a.Path;\n";
        StyleRule rule = new ImportedNames(List.of(main(imports)));
        assertBroken(rule, main("java.util.Map<String> x;"));
        assertBroken(rule, main("x = java.util.Arrays\n    .copyOf(y);"));
        assertBroken(rule, main(imports + "List x; java.util.List y;"));
        assertBroken(rule, main("@org.b.Nullable String x;"));
        assertBroken(rule, main("class A { java.nio.file.Path y; }"));
        assertKept(rule, main("package java.util;\n" + imports + "List x; // java.util.Map\n"));
        assertKept(rule, main("String x = \"java.util.Map\"; this.java.util.Map y;"));
        assertKept(rule, main(imports + "Path x; java.nio.file.Path y;"));
        assertKept(rule, main("org.a.Path x; java.nio.file.Path y;"));
        assertKept(rule, main("class Path extends org.a.Path {}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "System.nanoTime()",
                "System.currentTimeMillis()",
                "Instant.now()",
                "Thread.sleep(1)",
                "TimeUnit.SECONDS.sleep(1)",
                "MILLISECONDS.sleep(1)",
                "Thread.yield()",
                "LockSupport.parkNanos(1)",
                "LockSupport\n.park(this)",
                "import static java.lang.System.nanoTime;",
                "import static java.util.concurrent.locks.LockSupport.*;",
                "new Gathering(Thread::yield)",
                "this(LockSupport::parkNanos)",
                "this(System :: nanoTime)",
                "f(Thread::sleep, x)",
                "ThreadLocalRandom.current().nextInt()",
                "new SecureRandom()::nextInt",
                "Math.random()",
                "new Random()"
            })
    void timeRandomnessAndWaitingAreFound(String text) {
        assertBroken(new OutsideTime(), main(text));
        assertKept(new OutsideTime(), test(text));
    }

    @Test
    void timeIsGivenWhereAProcessIsWired() {
        String wiring =
                "new Tally(System::nanoTime, Thread::sleep, new SecureRandom()); clock.now(); new Random(seed);";
        assertKept(
                new OutsideTime(),
                JavaSource.of("worker-buffer", "worker-buffer/src/main/java/a/WorkerPlatform.java", wiring));
        assertKept(new OutsideTime(), main("clock.now(); new Random(seed); UUID.randomUUID();"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class ATest { void a() { new ProcessBuilder(\"ls\"); } }",
                "@Tag(\"slow\")\nclass ATest {}",
                "@Tag(\"hunt\")\nclass ATest { @Tag(\"process\") void a() {} }",
                "class ATest { int rounds = Integer.getInteger(\"packing.rounds\", 1); }"
            })
    void aTestWithoutItsTagIsFound(String text) {
        assertBroken(new TestTags(), test(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class ATest { String s = \"new ProcessBuilder(\"; }",
                "@Tag(\"process\")\nclass ATest { void a() { new ProcessBuilder(\"ls\"); } }",
                "@Tag(\"hunt\")\nclass ATest { int rounds = Integer.getInteger(\"packing.rounds\", 1); }",
                "final class Helper { Process a() { return new ProcessBuilder(\"ls\").start(); } }"
            })
    void aTestWithItsTagIsAccepted(String text) {
        assertKept(new TestTags(), test(text));
    }

    @Test
    void aNameOfTwoTypesIsFoundUnlessItIsAllowed() {
        JavaSource one = JavaSource.of("base/common", "base/common/src/main/java/a/Report.java", "class Report {}");
        JavaSource other = JavaSource.of("cli", "cli/src/main/java/b/Report.java", "class Report {}");
        JavaSource test = JavaSource.of("cli", "cli/src/test/java/c/Report.java", "class Report {}");
        List<JavaSource> sources = List.of(one, other, test);
        assertBroken(new UniqueNames(sources, Map.of()), one);
        assertBroken(new UniqueNames(sources, Map.of()), other);
        assertKept(new UniqueNames(sources, Map.of()), test);
        assertKept(new UniqueNames(sources, Map.of("Report", "one concept")), one);
    }

    @Test
    void anAllowedNameThatOneTypeHasIsFound() {
        JavaSource one = JavaSource.of("base/common", "base/common/src/main/java/a/Report.java", "class Report {}");
        assertThat(new UniqueNames(List.of(one), Map.of("Report", "one concept")).unusedAllowances())
                .containsExactly("Report");
    }
}
