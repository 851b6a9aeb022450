// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.cluster;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.Reclaim;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.BdtMaster;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.simulation.schedule.Schedule;
import io.packing.store.ObjectStore;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The records of the steps that the specification has: lease, claim, commit, reclaim and recovery. A call is recorded where it arrived at
 * the master, once its answer says that it took effect. A registration is recorded where its answer left: sessions change at the latest
 * moment that they can, and calls of a session come at the earliest.
 */
final class StepRecords {
    private static final String EPOCH = "bdt/epoch-";

    private final Schedule schedule;
    private final Set<String> objects = new HashSet<>();
    /** The versions that the record has as claimed. */
    private final Set<FileVersion> claimed = new HashSet<>();
    /** The id of the file that was granted last at a path. */
    private final Map<FilePath, Long> granted = new HashMap<>();

    private Optional<BdtMaster> serving = Optional.empty();

    StepRecords(Schedule schedule) {
        this.schedule = schedule;
    }

    private void step(Object... words) {
        if (schedule.records().isKept()) {
            schedule.records().add(line(words));
        }
    }

    /** Returns a line of the record. */
    private static String line(Object... words) {
        return "step " + Arrays.stream(words).map(Object::toString).collect(Collectors.joining(" "));
    }

    private static String line(Collection<Long> ids, Object... words) {
        return line(words) + ids.stream().map(id -> " " + id).collect(Collectors.joining());
    }

    /** Notes that a master has opened the mount. */
    void serves(BdtMaster by) {
        if (serving.filter(known -> known == by).isEmpty()) {
            serving = Optional.of(by);
            step("serve");
        }
    }

    void masterEnded() {
        serving = Optional.empty();
        step("end-master");
    }

    void tableLost() {
        masterEnded();
        step("lose-table");
    }

    void workerEnded(String worker) {
        step("end-worker", worker);
    }

    void registered(WorkerRegistration registration, WorkerSession session) {
        step("register", registration.worker(), session.sessionEpoch());
    }

    /** Notes that a client begins to write a path. */
    void writes(FilePath path) {
        Long unused = granted.remove(path);
    }

    /** Notes that a client has the answer to a write: some claim at the path was granted since it began, or the record shows that none was. */
    void answered(String worker, FilePath path) {
        step("ack", worker, granted.getOrDefault(path, 0L));
    }

    /** Returns a store whose new epochs and blobs are steps. */
    ObjectStore watched(ObjectStore store) {
        return MasterNode.proxy(ObjectStore.class, (method, arguments) -> {
            Object answer = MasterNode.invoke(store, method, arguments);
            if (method.getName().equals("put") && arguments[0] instanceof String key && objects.add(key)) {
                put(key);
            }
            return answer;
        });
    }

    private void put(String key) {
        if (key.startsWith(EPOCH)) {
            step("lease");
        } else if (key.startsWith(BlobName.FOLDER)) {
            BlobName blob = BlobName.parse(key.substring(BlobName.FOLDER.length()));
            step("push", blob.worker(), blob);
        }
    }

    /** Returns the record of a session's calls. */
    OfSession of(String worker, long session) {
        return new OfSession(worker, session);
    }

    /** The calls of one session, as they arrive at the master. */
    final class OfSession {
        private final String worker;
        private final long session;

        private OfSession(String worker, long session) {
            this.worker = worker;
            this.session = session;
        }

        /** Does a call, and records it if it takes effect. */
        @Nullable
        Object call(String name, Object @Nullable [] arguments, Callable<? extends @Nullable Object> call)
                throws Exception {
            int place = schedule.records().isKept() ? schedule.records().reserve() : 0;
            Map<String, Set<Long>> blobs =
                    arguments != null && arguments.length > 0 && arguments[0] instanceof Heartbeat heartbeat
                            ? blobs(heartbeat)
                            : Map.of();
            Object answer = call.call();
            if (schedule.records().isKept()) {
                switch (name) {
                    case "newFileId" ->
                        schedule.records().fill(place, line("id", worker, session, Objects.requireNonNull(answer)));
                    case "reclaimed" -> schedule.records().fill(place, line("reclaimed", worker, session));
                    case "reclaim" ->
                        schedule.records()
                                .fill(place, reclaims((List<?>) Objects.requireNonNull(arguments)[0], (List<?>)
                                        Objects.requireNonNull(answer)));
                    case "heartbeat" -> {
                        schedule.records().fill(place, commits(blobs));
                        ((HeartbeatReply) Objects.requireNonNull(answer)).drop().forEach(id -> {
                            step("end", id);
                            step("order", worker, id);
                        });
                    }
                    default -> {
                        // The specification has no such step.
                    }
                }
            }
            return answer;
        }

        /** Returns the files of each blob that a report names. */
        private static Map<String, Set<Long>> blobs(Heartbeat heartbeat) {
            Map<String, Set<Long>> blobs = new TreeMap<>();
            for (CommittedFile file : heartbeat.files()) {
                file.extents().forEach(extent -> {
                    String blob = extent.blob().toString();
                    boolean unused = blobs.computeIfAbsent(blob, unseen -> new HashSet<>())
                            .add(file.version().id());
                });
            }
            return blobs;
        }

        private String commits(Map<String, Set<Long>> blobs) {
            return blobs.entrySet().stream()
                    .map(each -> line(each.getValue(), "commit", worker, session, each.getKey()))
                    .collect(Collectors.joining("\n"));
        }

        private String reclaims(List<?> asked, List<?> answers) {
            Map<Long, String> lines = new LinkedHashMap<>();
            for (int i = 0; i < asked.size(); i++) {
                long id = ((Reclaim) asked.get(i)).version().id();
                Optional<?> answer = (Optional<?>) answers.get(i);
                if (answer.isPresent()) {
                    boolean unused = claimed.add((FileVersion) answer.get());
                    String unusedLine = lines.put(id, line("keep", worker, session, id));
                } else {
                    String unusedLine = lines.put(id, line("end", id) + "\n" + line("refuse", worker, session, id));
                }
            }
            return String.join("\n", lines.values());
        }

        /** Claims a file, and records the grant. */
        ClaimResult claim(Claim wanted, Callable<ClaimResult> call) throws Exception {
            int place = schedule.records().isKept() ? schedule.records().reserve() : 0;
            ClaimResult result = call.call();
            if (result instanceof ClaimResult.Granted grant) {
                FileVersion version = grant.version();
                Long unused = granted.put(wanted.path(), version.id());
                if (claimed.add(version)) {
                    schedule.records().fill(place, line("claim", worker, session, version.id(), version.generation()));
                }
            }
            return result;
        }
    }
}
