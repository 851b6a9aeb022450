// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.specification;

import io.packing.simulation.ClusterSchedule;
import io.packing.simulation.ClusterSchedule.Result;
import io.packing.simulation.relink.PlantedDefect;
import io.packing.simulation.schedule.ClusterWorkload;
import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.ScheduleMask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The specification, with a folder in which TLC checks it. */
final class PackingSpecification {
    private static final String MODEL = "PackingModel";
    private static final String TRACE = "PackingTrace";
    private static final String NO_MISTAKE = "Mistake = \"none\"";
    private static final Pattern TRACE_AT = Pattern.compile("trace = (\\d+)");
    private static final Pattern STEP_AT = Pattern.compile("\\bat = (\\d+)");

    /** A mount that does not sync may forget answered files. The specification has no groups, whose leaders go on without a jump. */
    private static final ScheduleMask SYNCED = new ScheduleMask(
            Set.of(FaultKind.FORGETFUL, FaultKind.GROUP), ScheduleMask.NONE.mostFaults(), ScheduleMask.NONE.clients());

    /** A size of the model. */
    enum Size {
        /** Less than a minute of a processor. */
        SMALL("{w1}", "{f1}", "{b1}", 3),
        /** Some minutes. */
        MEDIUM("{w1}", "{f1}", "{b1, b2}", 4),
        /** Some hours. */
        LARGE("{w1, w2}", "{f1, f2}", "{b1, b2}", 5);

        private final String workers;
        private final String files;
        private final String blobs;
        private final int jump;

        Size(String workers, String files, String blobs, int jump) {
            this.workers = workers;
            this.files = files;
            this.blobs = blobs;
            this.jump = jump;
        }
    }

    /** A planted mistake of the specification, and the invariant that has to find it. */
    enum Mistake {
        NO_JUMP("NoJump", "GivenOnce"),
        BLOBS_LEFT_OUT("BlobsLeftOut", "Found"),
        SENDER_SERVES_ON("SenderServesOn", "OneMaster"),
        CLAIM_NOT_AWAITED("ClaimNotAwaited", "NothingLost"),
        BLOB_BELIEVED("BlobBelieved", "Pushed"),
        FORGET_FIRST("ForgetFirst", "Found"),
        NOT_RECLAIMED("NotReclaimed", "Found");

        private final String word;
        private final String invariant;

        Mistake(String word, String invariant) {
            this.word = word;
            this.invariant = invariant;
        }

        String invariant() {
            return invariant;
        }
    }

    /**
     * The verdict about recorded schedules.
     *
     * @param schedules that were checked together
     * @param steps of all of them
     * @param refused what the first refused one is, with its seed and its step; empty: each step is one of the specification
     */
    record TraceVerdict(int schedules, long steps, Optional<Refused> refused) {}

    /**
     * A step that the specification does not have.
     *
     * @param step in its language
     * @param at its number in the schedule
     * @param violated {@code deadlock}, or an invariant that does not hold after the step
     */
    record Refused(long seed, int at, String step, String violated) {}

    private final Path modules;
    private final Path folder;
    private final int threads;

    /**
     * @param root of the clone
     * @param folder for TLC's files
     */
    PackingSpecification(Path root, Path folder, int threads) {
        this.modules = root.resolve("lab/simulation/specification");
        this.folder = folder;
        this.threads = threads;
    }

    private void prepare() throws IOException {
        Path unused = Files.createDirectories(folder);
        for (String module : List.of("Packing", MODEL, TRACE)) {
            Path unusedCopy = Files.copy(
                    modules.resolve(module + ".tla"),
                    folder.resolve(module + ".tla"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Checks all behaviours of a size. */
    ModelChecker.Answer model(Size size, Optional<Mistake> mistake) throws IOException, InterruptedException {
        prepare();
        String name = MODEL + "-" + mistake.map(each -> each.word).orElse("sound");
        String sound = Files.readString(modules.resolve(MODEL + ".cfg"));
        String configuration = replaced(sound, "Workers = .*", "Workers = " + size.workers);
        configuration = replaced(configuration, "Files = .*", "Files = " + size.files);
        configuration = replaced(configuration, "Blobs = .*", "Blobs = " + size.blobs);
        configuration = replaced(configuration, "Jump = .*", "Jump = " + size.jump);
        if (mistake.isPresent()) {
            configuration = replaced(
                    configuration, Pattern.quote(NO_MISTAKE), "Mistake = \"%s\"".formatted(mistake.get().word));
        }
        Path unused = Files.writeString(folder.resolve(name + ".cfg"), configuration);
        return new ModelChecker(folder, threads).check(MODEL, name);
    }

    private static String replaced(String text, String pattern, String by) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("the configuration has no line " + pattern);
        }
        return found.replaceFirst(Matcher.quoteReplacement(by));
    }

    /** Records schedules. */
    static List<RecordedSteps> record(long seed, int schedules, int operations, Optional<PlantedDefect> defect)
            throws ReflectiveOperationException, InterruptedException {
        ClusterSchedule cluster = new ClusterSchedule(defect);
        ClusterWorkload workload =
                ClusterWorkload.of(operations).with(operations, SYNCED).withRecords();
        List<RecordedSteps> recorded = new ArrayList<>();
        for (int i = 0; i < schedules; i++) {
            // A stuck schedule has steps, too.
            Result result = cluster.play(seed + i, workload);
            recorded.add(RecordedSteps.of(result.seed(), result.records()));
        }
        return recorded;
    }

    /** Checks that each step of recorded schedules is one of the specification. */
    TraceVerdict traces(List<RecordedSteps> recorded) throws IOException, InterruptedException {
        prepare();
        Path unused = Files.copy(
                modules.resolve(TRACE + ".cfg"), folder.resolve(TRACE + ".cfg"), StandardCopyOption.REPLACE_EXISTING);
        Path unusedSteps = Files.writeString(folder.resolve("Steps.tla"), RecordedSteps.module(recorded));
        ModelChecker.Answer answer = new ModelChecker(folder, threads).check(TRACE, TRACE);
        long steps = recorded.stream().mapToLong(each -> each.steps().size()).sum();
        if (answer.isSound()) {
            if (answer.states() < steps) {
                throw new IOException("TLC has found %d states for %d steps, see %s"
                        .formatted(answer.states(), steps, folder.resolve(TRACE + ".log")));
            }
            return new TraceVerdict(recorded.size(), steps, Optional.empty());
        }
        RecordedSteps schedule = recorded.get(last(TRACE_AT, answer.output()) - 1);
        // A deadlock is before the step, and an invariant does not hold behind it.
        int at = last(STEP_AT, answer.output()) - (answer.violated().equals(ModelChecker.DEADLOCKED) ? 0 : 1);
        String step =
                at >= 1 && at <= schedule.steps().size() ? schedule.steps().get(at - 1) : "the end";
        return new TraceVerdict(
                recorded.size(), steps, Optional.of(new Refused(schedule.seed(), at, step, answer.violated())));
    }

    private static int last(Pattern pattern, String output) throws IOException {
        int number = 0;
        for (Matcher found = pattern.matcher(output); found.find(); ) {
            number = Integer.parseInt(found.group(1));
        }
        if (number == 0) {
            throw new IOException("TLC tells no state with " + pattern);
        }
        return number;
    }
}
