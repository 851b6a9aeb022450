// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.packing.bdt.UnavailableException;
import io.packing.layers.containerd.SnapshotRefusal.Reason;
import io.packing.registry.oci.Digest;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calls of containerd, each with its errors, and what a process that ended leaves to the next one. */
class ContainerdSnapshotsTest {
    private static final Digest BASE = digest("base");
    private static final Digest TOP = digest("top");
    private static final int CALLS = 600;

    @TempDir
    private Path home;

    private final Random random = Seed.random();
    private final Registry registry = new Registry();
    private ContainerdSnapshots snapshots;
    private long now;

    /** A registry with some chains, which may be away. */
    private final class Registry implements ChainRoots {
        private final Set<Digest> chains = new HashSet<>();
        private final Set<Digest> mounted = new HashSet<>();
        private boolean away;

        private void answer() throws IOException {
            if (away) {
                throw new UnavailableException("the registry is away");
            }
        }

        @Override
        public boolean has(Digest chain) throws IOException {
            answer();
            return chains.contains(chain);
        }

        @Override
        public void ahead(Digest chain, boolean isLast) {}

        @Override
        public ChainRoot root(Digest chain) throws IOException {
            answer();
            mounted.add(chain);
            return new ChainRoot(home.resolve("roots").resolve(chain.hex()), Optional.empty());
        }

        @Override
        public void keepOnly(Supplier<Set<Digest>> kept) throws IOException {
            answer();
            mounted.retainAll(kept.get());
        }
    }

    private static Digest digest(String text) {
        return Digest.Algorithm.SHA256.of(text.getBytes(StandardCharsets.UTF_8));
    }

    @BeforeEach
    void start() throws IOException {
        snapshots = open();
    }

    @AfterEach
    void stop() {
        snapshots.close();
    }

    private ContainerdSnapshots open() throws IOException {
        return ContainerdSnapshots.open(home.resolve("state"), registry, () -> now);
    }

    private void restart() throws IOException {
        snapshots.close();
        snapshots = open();
    }

    private static void refused(Reason reason, ThrowingCallable call) {
        assertThatIOException()
                .isThrownBy(call)
                .isInstanceOfSatisfying(
                        SnapshotRefusal.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private static Map<String, String> reference(Digest chain) {
        return Map.of(ContainerdSnapshots.REFERENCE, chain.toString(), "other", "kept");
    }

    private void pull(String parent, Digest chain) {
        refused(Reason.ALREADY_EXISTS, () -> {
            Object unused = snapshots.prepare("n/1/extract " + chain, parent, reference(chain));
        });
    }

    private static String option(SnapshotMount mount, String name) {
        return mount.options().stream()
                .filter(each -> each.startsWith(name + "="))
                .map(each -> each.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    /** Unpacks a layer as containerd does; returns the directory of its files. */
    private Path unpack(String name, String parent) throws Exception {
        SnapshotMount mount =
                snapshots.prepare("extract-" + name, parent, Map.of()).get(0);
        Path upper = Path.of(mount.type().equals("bind") ? mount.source() : option(mount, "upperdir"));
        Files.writeString(upper.resolve(name), name);
        snapshots.commit(name, "extract-" + name, Map.of("of", name));
        return upper;
    }

    @Test
    void layersOfTheRegistryAreCommittedSnapshotsWithoutFiles() throws Exception {
        registry.chains.addAll(Set.of(BASE, TOP));
        pull("", BASE);
        pull(BASE.toString(), TOP);
        // Another namespace, or a client that did not get the answer.
        pull(BASE.toString(), TOP);
        assertThat(snapshots.list()).hasSize(2);
        KeptSnapshot top = snapshots.list().get(1);
        assertThat(top.kind()).isEqualTo(SnapshotKind.COMMITTED);
        assertThat(top.parent()).isEqualTo(BASE.toString());
        assertThat(top.labels()).isEqualTo(reference(TOP));
        assertThat(snapshots.usage(top.key())).isEqualTo(new UpperUsage(0, 0));
        // No tree is asked for before a container starts.
        assertThat(registry.mounted).isEmpty();
        SnapshotMount mount =
                snapshots.prepare("n/2/container", top.key(), Map.of()).get(0);
        assertThat(mount.type()).isEqualTo("overlay");
        assertThat(option(mount, "lowerdir"))
                .isEqualTo(home.resolve("roots").resolve(TOP.hex()).toString());
        assertThat(Path.of(option(mount, "upperdir"))).isEmptyDirectory();
        assertThat(Path.of(option(mount, "workdir"))).isEmptyDirectory();
        assertThat(registry.mounted).containsOnly(TOP);
        assertThat(snapshots.mounts("n/2/container")).containsExactly(mount);
        restart();
        assertThat(snapshots.mounts("n/2/container")).containsExactly(mount);
        SnapshotMount view = snapshots.view("n/3/view", top.key(), Map.of()).get(0);
        assertThat(option(view, "upperdir")).isEmpty();
        assertThat(option(view, "lowerdir")).contains(TOP.hex()).endsWith("/empty");
    }

    @Test
    void aRegistryThatIsAwayIsUnavailableAndLeavesNothing() throws Exception {
        registry.chains.add(BASE);
        pull("", BASE);
        registry.away = true;
        assertThatIOException()
                .isThrownBy(() -> {
                    Object unused = snapshots.prepare("n/1/extract", BASE.toString(), reference(TOP));
                })
                .isInstanceOf(UnavailableException.class);
        assertThatIOException()
                .isThrownBy(() -> {
                    Object unused = snapshots.prepare("n/2/container", BASE.toString(), Map.of());
                })
                .isInstanceOf(UnavailableException.class);
        assertThat(snapshots.list()).hasSize(1);
        // The layers are known here.
        pull("", BASE);
        registry.away = false;
        assertThat(snapshots.prepare("n/2/container", BASE.toString(), Map.of()))
                .hasSize(1);
    }

    @Test
    void unpackedLayersStandAboveThoseOfTheRegistry() throws Exception {
        registry.chains.add(BASE);
        pull("", BASE);
        Path odd = unpack("odd", BASE.toString());
        Path last = unpack("last", "odd");
        assertThat(option(snapshots.prepare("c", "last", Map.of()).get(0), "lowerdir"))
                .isEqualTo("%s:%s:%s".formatted(last, odd, home.resolve("roots").resolve(BASE.hex())));
        // A tree of the registry has all layers below it.
        registry.chains.add(TOP);
        pull("last", TOP);
        String top = snapshots.list().get(snapshots.list().size() - 1).key();
        assertThat(option(snapshots.prepare("d", top, Map.of()).get(0), "lowerdir"))
                .isEqualTo(home.resolve("roots").resolve(TOP.hex()).toString());
        // The layers are there a second time, above another parent.
        pull("", TOP);
        assertThat(snapshots.list().stream().filter(each -> each.chain().equals(Optional.of(TOP.toString()))))
                .hasSize(2);
    }

    @Test
    void imagesOfOtherRegistriesAreDirectories() throws Exception {
        SnapshotMount first = snapshots.prepare("a", "", reference(BASE)).get(0);
        assertThat(first.type()).isEqualTo("bind");
        assertThat(first.options()).containsExactly("rw", "rbind");
        Path upper = Path.of(first.source());
        Files.writeString(upper.resolve("file"), "12345");
        Files.createLink(upper.resolve("name"), upper.resolve("file"));
        Files.createSymbolicLink(upper.resolve("link"), Path.of("nowhere"));
        assertThat(snapshots.usage("a")).isEqualTo(new UpperUsage(5, 3));
        now = 7_000;
        snapshots.commit("layer", "a", Map.of("b", "c"));
        assertThat(snapshots.usage("layer")).isEqualTo(new UpperUsage(5, 3));
        assertThat(snapshots.stat("layer").updatedMillis()).isEqualTo(7_000);
        assertThat(snapshots.stat("layer").labels()).isEqualTo(Map.of("b", "c"));
        assertThat(snapshots.view("v", "layer", Map.of()))
                .containsExactly(new SnapshotMount("bind", upper.toString(), List.of("ro", "rbind")));
        assertThat(snapshots.view("empty", "", Map.of()).get(0).options()).contains("ro");
        refused(Reason.FAILED_PRECONDITION, () -> snapshots.remove("layer"));
        snapshots.remove("v");
        snapshots.remove("layer");
        assertThat(upper).doesNotExist();
        refused(Reason.NOT_FOUND, () -> snapshots.remove("layer"));
    }

    @Test
    void whatContainerdMayNotDoIsRefusedByName() throws Exception {
        Object unused = snapshots.prepare("a", "", Map.of());
        refused(Reason.ALREADY_EXISTS, () -> {
            Object unusedAgain = snapshots.prepare("a", "", Map.of());
        });
        refused(Reason.NOT_FOUND, () -> {
            Object unusedNone = snapshots.prepare("b", "none", Map.of());
        });
        refused(Reason.INVALID_ARGUMENT, () -> {
            Object unusedAbove = snapshots.prepare("b", "a", Map.of());
        });
        refused(Reason.INVALID_ARGUMENT, () -> {
            Object unusedAbove = snapshots.prepare("", "", Map.of());
        });
        refused(Reason.NOT_FOUND, () -> {
            Object unusedNone = snapshots.mounts("none");
        });
        refused(Reason.NOT_FOUND, () -> snapshots.commit("c", "none", Map.of()));
        refused(Reason.INVALID_ARGUMENT, () -> snapshots.commit("", "a", Map.of()));
        Object unusedView = snapshots.view("v", "", Map.of());
        refused(Reason.FAILED_PRECONDITION, () -> snapshots.commit("c", "v", Map.of()));
        refused(Reason.ALREADY_EXISTS, () -> snapshots.commit("v", "a", Map.of()));
        snapshots.commit("c", "a", Map.of());
        refused(Reason.FAILED_PRECONDITION, () -> {
            Object unusedCommitted = snapshots.mounts("c");
        });
        refused(Reason.INVALID_ARGUMENT, () -> {
            Object unusedChanged = snapshots.update("c", Map.of(), List.of("parent"));
        });
        // The label of another remote snapshotter is none of ours.
        assertThat(snapshots.prepare("d", "", Map.of(ContainerdSnapshots.REFERENCE, "v1:2")))
                .hasSize(1);
        assertThat(snapshots.list()).extracting(KeptSnapshot::key).containsExactlyInAnyOrder("c", "v", "d");
    }

    @Test
    void labelsAreChangedByField() throws Exception {
        Object unused = snapshots.prepare("a", "", Map.of("x", "1", "y", "2"));
        assertThat(snapshots
                        .update("a", Map.of("x", "3", "z", "4"), List.of("labels.x", "labels.y"))
                        .labels())
                .isEqualTo(Map.of("x", "3"));
        assertThat(snapshots.update("a", Map.of("z", "4"), List.of("labels")).labels())
                .isEqualTo(Map.of("z", "4"));
        assertThat(snapshots.update("a", Map.of("w", "5"), List.of()).labels()).isEqualTo(Map.of("w", "5"));
        restart();
        assertThat(snapshots.stat("a").labels()).isEqualTo(Map.of("w", "5"));
    }

    @Test
    void whatAnEndedProcessLeftIsDeletedAndNothingElse() throws Exception {
        registry.chains.add(BASE);
        pull("", BASE);
        Object unusedKept = snapshots.prepare("a", BASE.toString(), Map.of());
        // The end came before the record was there.
        Path left = Files.createDirectories(home.resolve("state/snapshots/77/upper/deep"));
        Files.writeString(left.resolve("file"), "x");
        restart();
        assertThat(home.resolve("state/snapshots/77")).doesNotExist();
        assertThat(snapshots.list()).hasSize(2);
        snapshots.remove("a");
        snapshots.remove(BASE.toString());
        assertThat(registry.mounted).containsOnly(BASE);
        snapshots.cleanup();
        assertThat(registry.mounted).isEmpty();
        assertThat(home.resolve("state/snapshots")).isEmptyDirectory();
    }

    @Test
    void aDamagedRecordIsNamed() throws Exception {
        Object unused = snapshots.prepare("a", "", Map.of());
        Files.writeString(home.resolve("state/snapshots/1/snapshot.json"), "{\"key\":");
        snapshots.close();
        assertThatIOException().isThrownBy(this::open).withMessageContaining("the snapshot 1 is damaged");
        Files.writeString(home.resolve("state/snapshots/1/snapshot.json"), "{\"key\":\"a\",\"kind\":\"ODD\"}");
        assertThatIOException().isThrownBy(this::open).withMessageContaining("the snapshot 1 is damaged");
        Files.delete(home.resolve("state/snapshots/1/snapshot.json"));
        snapshots = open();
    }

    @Test
    void twoProcessesDoNotShareADirectory() {
        assertThatIOException().isThrownBy(this::open).withMessageContaining("is in use by");
    }

    /** The parts of a snapshot that a model has. */
    private record Modelled(String parent, SnapshotKind kind) {}

    /** Calls in any order, with restarts, have the effects that they have on a map. */
    @Test
    void randomCallsAreAsAModelHasThem() throws Exception {
        Map<String, Modelled> model = new LinkedHashMap<>();
        for (int i = 0; i < CALLS; i++) {
            String key = "k" + random.nextInt(12);
            List<String> keys = new ArrayList<>(model.keySet());
            String parent = keys.isEmpty() || random.nextBoolean() ? "" : keys.get(random.nextInt(keys.size()));
            Modelled there = model.get(key);
            boolean parentFits = parent.isEmpty()
                    || model.getOrDefault(parent, new Modelled("", SnapshotKind.VIEW))
                            .kind()
                            .equals(SnapshotKind.COMMITTED);
            int call = random.nextInt(10);
            if (call < 5) {
                SnapshotKind kind = call < 4 ? SnapshotKind.ACTIVE : SnapshotKind.VIEW;
                if (made(() -> kind == SnapshotKind.ACTIVE
                        ? snapshots.prepare(key, parent, Map.of())
                        : snapshots.view(key, parent, Map.of()))) {
                    assertThat(there == null && parentFits).isTrue();
                    model.put(key, new Modelled(parent, kind));
                } else {
                    assertThat(there == null && parentFits).isFalse();
                }
            } else if (call < 8) {
                String name = "k" + random.nextInt(12);
                boolean fits = there != null && there.kind() == SnapshotKind.ACTIVE && !model.containsKey(name);
                assertThat(made(() -> {
                            snapshots.commit(name, key, Map.of());
                            return List.of();
                        }))
                        .isEqualTo(fits);
                if (fits) {
                    Modelled active = Objects.requireNonNull(model.remove(key));
                    model.put(name, new Modelled(active.parent(), SnapshotKind.COMMITTED));
                }
            } else if (call == 8) {
                boolean fits = there != null
                        && model.values().stream()
                                .noneMatch(each -> each.parent().equals(key));
                assertThat(made(() -> {
                            snapshots.remove(key);
                            return List.of();
                        }))
                        .isEqualTo(fits);
                if (fits) {
                    model.remove(key);
                }
            } else {
                restart();
            }
            Map<String, Modelled> seen = new TreeMap<>();
            snapshots.list().forEach(each -> seen.put(each.key(), new Modelled(each.parent(), each.kind())));
            assertThat(seen).isEqualTo(new TreeMap<>(model));
        }
    }

    /** A call that may be refused. */
    private interface Call {
        List<SnapshotMount> call() throws IOException, InterruptedException;
    }

    private static boolean made(Call call) throws IOException, InterruptedException {
        try {
            List<SnapshotMount> unused = call.call();
            return true;
        } catch (SnapshotRefusal e) {
            return false;
        }
    }
}
