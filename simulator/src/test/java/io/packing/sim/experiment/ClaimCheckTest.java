// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A check of everything that the experiments of the project claim of the papers, and wrong claims that it has to find. */
class ClaimCheckTest {
    private static final Path CONF = Path.of("../conf/simulator");
    private static final Pattern CLAIM = Pattern.compile("\\{ says = ");
    private static final Pattern FIGURE = Pattern.compile("(paper|ours) = (-?[0-9.]+)");
    private static final Pattern TOLERANCE = Pattern.compile("tolerance = ([0-9.]+)");

    private static final SweepListener QUIET = new SweepListener() {
        @Override
        public void begins(String experiment, int points, int missing, long events) {}

        @Override
        public void played(long events) {}

        @Override
        public void finished() {}
    };

    @TempDir
    private static Path directory = Path.of("");

    @BeforeAll
    static void everyClaimHoldsOrDiffersAsIsKnown() throws IOException, InterruptedException {
        ClaimCheck check = check(files().toList());
        assertThat(check.failed()).as(check.text()).isZero();
        assertThat(check.claims()).isGreaterThan(80);
    }

    private static Stream<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(CONF)) {
            return files.filter(file -> file.toString().endsWith(".conf")).sorted().toList().stream();
        }
    }

    private static Stream<Path> filesWithClaims() throws IOException {
        return files().filter(file -> !text(file).contains("\nunclaimed = "));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The simulations are kept, so a changed claim costs no other one. */
    private static ClaimCheck check(List<Path> files) throws InterruptedException {
        Sweep sweep =
                new Sweep(directory.resolve("points"), 2, Runtime.getRuntime().maxMemory());
        return ClaimCheck.run(Experiment.readForCheck(files, List.of(), 1), sweep, QUIET);
    }

    private static Path changed(String text) throws IOException {
        return Files.writeString(
                Files.createTempDirectory(directory, "changed").resolve("changed.conf"),
                text.replace(
                        "../prices", Path.of("../conf/prices").toAbsolutePath().toString()));
    }

    @ParameterizedTest
    @MethodSource("filesWithClaims")
    void aWrongValueInAnyClaimFails(Path file) throws IOException, InterruptedException {
        String text = text(file);
        List<Integer> starts =
                CLAIM.matcher(text).results().map(MatchResult::start).toList();
        assertThat(starts).isNotEmpty();
        for (int i = 0; i < starts.size(); i++) {
            int end = i + 1 < starts.size() ? starts.get(i + 1) : text.length();
            String claim = text.substring(starts.get(i), end);
            ClaimCheck planted =
                    check(List.of(changed(text.substring(0, starts.get(i)) + wrong(claim) + text.substring(end))));
            assertThat(planted.claims()).isEqualTo(starts.size());
            assertThat(planted.failed()).as(wrong(claim)).isEqualTo(1);
        }
    }

    /** Changes the number that decides: the known one of a claim that differs, else the paper's. */
    private static String wrong(String claim) {
        MatchResult figure = last(FIGURE.matcher(claim));
        double tolerance = Double.parseDouble(last(TOLERANCE.matcher(claim)).group(1));
        double right = Double.parseDouble(figure.group(2));
        double wrong = claim.contains("bound = at-most") && figure.group(1).equals("paper")
                ? -1e9
                : Math.abs(right) + right + 3 * tolerance + 1e9;
        return claim.substring(0, figure.start(2))
                + String.format(Locale.ROOT, "%.3f", wrong)
                + claim.substring(figure.end(2));
    }

    private static MatchResult last(Matcher matcher) {
        List<MatchResult> all = matcher.results().toList();
        return all.get(all.size() - 1);
    }

    @Test
    void anIdentityFailsWhenTheModelChanges() throws IOException, InterruptedException {
        ClaimCheck check = check(List.of(changed(text(CONF.resolve("fig-3.18.conf")) + "\nstack.hdfs.replicas = 2\n")));
        assertThat(check.json()).extractingByKey("identities").isNotEqualTo(3L);
        assertThat(check.failed()).as(check.text()).isPositive();
    }

    private static final String SMALL = """
            title = t, source = "§1"
            cache { zipf { objects = 100, requests = 1000 } }
            sweep = [{ axis = policy, values = [lru, sieve] }]
            columns = [hits]
            claims = [{ says = s, kind = prediction, metric = requests, as = value, of { policy = lru }
              paper = 900, tolerance = 10, because = "a test"
              %s }]
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "differs { ours = 1000, tolerance = 1, because = why } | 0 | 1",
                "differs { ours = 990, tolerance = 1, because = why }  | 1 | 0",
                "tolerance = 100                                       | 0 | 0",
                "tolerance = 99                                        | 1 | 0",
                "bound = at-least                                      | 0 | 0",
                "bound = at-most                                       | 1 | 0",
                // A difference that is gone has to go from the file, too.
                "tolerance = 100, differs { ours = 1000, tolerance = 1, because = why } | 1 | 0",
            })
    void aKnownDifferenceFailsWhenTheNumberMoves(String more, long failed, long differ)
            throws IOException, InterruptedException {
        ClaimCheck check = check(List.of(changed(SMALL.formatted(more))));
        assertThat(check.json()).containsAllEntriesOf(Map.of("claims", 1, "failed", failed, "differ", differ));
    }

    @Test
    void anExperimentThatCannotRunFailsAllItsClaims() throws IOException, InterruptedException {
        Path trace = Files.writeString(directory.resolve("bad.csv"), "obj_id\n1\nx\n");
        String text = SMALL.formatted("") + "cache { format = csv, files = [\"%s\"] }".formatted(trace);
        ClaimCheck check = check(List.of(changed(text)));
        assertThat(check.failed()).isEqualTo(1);
        assertThat(check.text()).contains("bad.csv");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind = guess                 | claims.kind: no 'guess'",
                "because = \"\"               | say where the tolerance",
                "tolerance = -1               | a claim that nothing can break",
                "bound = near                 | claims.bound",
                "each = all                   | claims.each: no 'all'",
                "differs { ours = 1 }         | tolerance",
                "differs { paper = 1 }        | no 'paper'",
            })
    void aClaimThatCouldNotFailIsRefused(String more, String why) {
        assertThatThrownBy(() -> check(List.of(changed(SMALL.formatted(more))))).hasMessageContaining(why);
    }

    @Test
    void everyExperimentHasClaimsOrSaysWhyItHasNone() throws IOException {
        try (Stream<Path> files = Files.walk(CONF)) {
            List<String> silent = files.filter(file -> file.toString().endsWith(".conf"))
                    .map(file ->
                            Experiment.read(List.of(file), List.of(), 1).get(0).get(0))
                    .filter(one -> one.claims().isEmpty() == one.unclaimed().isEmpty())
                    .map(Experiment::name)
                    .toList();
            assertThat(silent).isEmpty();
        }
    }
}
