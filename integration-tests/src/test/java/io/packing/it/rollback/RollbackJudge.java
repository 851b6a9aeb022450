package io.packing.it.rollback;

import io.packing.bdt.FileStatus;
import io.packing.operations.fsck.Damage;
import io.packing.operations.fsck.DamageKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A comparison of a mount with the acknowledged changes, by the costs that each rollback may have. */
final class RollbackJudge {
    /**
     * The differences that are allowed.
     *
     * @param lostFrom files with a write from here on may be lost, and the mount says of each that it is
     * @param tail changes of the namespace that no journal in the store has may be undone
     * @param forgotten files that may be lost may be forgotten, too, since neither table nor worker knows them any more
     * @param damaged an object of the store is gone or damaged: whatever differs, the mount says that something is missing
     */
    record Allowed(int lostFrom, boolean tail, boolean forgotten, boolean damaged) {
        static final Allowed NOTHING = new Allowed(Integer.MAX_VALUE, false, false, false);

        Allowed losing(int from) {
            return new Allowed(Math.min(lostFrom, from), tail, forgotten, damaged);
        }

        Allowed undoing() {
            return new Allowed(lostFrom, true, forgotten, damaged);
        }

        Allowed forgetting() {
            return new Allowed(lostFrom, tail, true, damaged);
        }

        Allowed damaging() {
            return new Allowed(lostFrom, tail, forgotten, true);
        }
    }

    private static final Set<DamageKind> NAMES_A_FILE = EnumSet.of(
            DamageKind.LOST, DamageKind.MISSING, DamageKind.SHORT, DamageKind.CHECKSUM, DamageKind.UNREACHABLE);

    private final RollbackHistory history;
    private final Allowed allowed;
    private final FoundTree found;
    private final List<Damage> damage;
    private final Optional<String> problem;
    private final List<String> finds = new ArrayList<>();
    private int differences;

    /**
     * A comparison.
     *
     * @param damage that fsck told
     * @param problem that the mount told
     */
    RollbackJudge(
            RollbackHistory history, Allowed allowed, FoundTree found, List<Damage> damage, Optional<String> problem) {
        this.history = history;
        this.allowed = allowed;
        this.found = found;
        this.damage = damage;
        this.problem = problem;
    }

    /** Returns what must not be so; empty: all is as it may be. */
    List<String> finds() {
        Map<String, Optional<ModelFile>> wanted = history.model().entries();
        Set<String> paths = new TreeSet<>(wanted.keySet());
        paths.addAll(found.entries().keySet());
        for (String path : paths) {
            Optional<String> find =
                    compare(path, wanted.containsKey(path), wanted.getOrDefault(path, Optional.empty()));
            find.ifPresent(each -> finds.add(path + ": " + each));
        }
        if (differences > 0 && allowed.damaged() && problem.isEmpty() && damage.isEmpty()) {
            finds.add("%d paths differ, and neither health nor fsck says so".formatted(differences));
        }
        if (!allowed.damaged()) {
            problem.ifPresent(each -> finds.add("the mount says: " + each));
        }
        if (differences == 0 && finds.isEmpty()) {
            links();
            quotas();
        }
        return finds;
    }

    /** Returns the number of paths that differ from the acknowledged changes. */
    int differences() {
        return differences;
    }

    private Optional<String> compare(String path, boolean isWanted, Optional<ModelFile> file) {
        FoundTree.Entry entry = found.entries().get(path);
        if (entry == null) {
            return differs(
                    path, file, "is not there, want %s".formatted(file.isPresent() ? file.get() : "a directory"));
        }
        Optional<byte[]> bytes = entry.bytes();
        if (bytes.isPresent()) {
            String print = RollbackHistory.print(bytes.get());
            if (file.isPresent() && print.equals(history.print(file.get()))) {
                return Optional.empty();
            }
            boolean hadThem = history.everAt(path).contains(print)
                    || (history.isKnown(print) && (isTouched(path) || path.contains(".recovered-")));
            return hadThem
                    ? differs(path, file, "is older: %s, want %s".formatted(entry, file))
                    : Optional.of("WRONG BYTES: %s, want %s".formatted(entry, file));
        }
        if (entry.isDirectory()) {
            return isWanted && file.isEmpty() ? Optional.empty() : differs(path, file, "is a directory, want " + file);
        }
        if (!isNamed(path)) {
            return Optional.of("cannot be read, and fsck does not name it: %s, want %s".formatted(entry, file));
        }
        return mayBeLost(file) || allowed.damaged() || isTouched(path)
                ? differing()
                : Optional.of("is lost: %s, want %s".formatted(entry, file));
    }

    private Optional<String> differing() {
        differences++;
        return Optional.empty();
    }

    /** A path that shows an older state, or nothing. */
    private Optional<String> differs(String path, Optional<ModelFile> file, String how) {
        boolean may = isTouched(path)
                || allowed.damaged()
                || (allowed.tail() && path.contains(".recovered-"))
                || (allowed.forgotten() && (mayBeLost(file) || mayGoWithFiles(path)));
        return may ? differing() : Optional.of(how);
    }

    /** A directory may have come with a file that is forgotten. */
    private boolean mayGoWithFiles(String path) {
        return history.model().directories().contains(path)
                && history.model().files().entrySet().stream()
                        .filter(each -> TreeModel.isIn(path, each.getKey()))
                        .allMatch(each -> mayBeLost(Optional.of(each.getValue())));
    }

    private boolean isTouched(String path) {
        return allowed.tail() && history.isTouched(path);
    }

    private boolean mayBeLost(Optional<ModelFile> file) {
        return file.isPresent() && file.get().hasWriteFrom(allowed.lostFrom());
    }

    private boolean isNamed(String path) {
        return damage.stream().anyMatch(each -> each.path().equals(path) && NAMES_A_FILE.contains(each.kind()));
    }

    private void links() {
        for (ModelFile file : history.model().files().values()) {
            Set<String> keys = new HashSet<>();
            Set<String> names = history.model().names(file);
            for (String name : names) {
                FoundTree.Entry entry = Objects.requireNonNull(found.entries().get(name));
                FileStatus status = entry.status();
                keys.add(names.size() > 1 ? entry.fileKey() : "");
                if (status.extras().links() < names.size()) {
                    finds.add("%s counts %d names, want %s"
                            .formatted(name, status.extras().links(), names));
                }
            }
            if (keys.size() != 1) {
                finds.add("the names %s lead to several files: %s".formatted(names, keys));
            }
        }
    }

    private void quotas() {
        if (allowed.tail() && history.areQuotasTouched()) {
            return;
        }
        if (!found.quotas().equals(history.model().quotas())) {
            finds.add("quotas of %s, want %s"
                    .formatted(found.quotas(), history.model().quotas()));
            return;
        }
        for (String directory : found.quotas()) {
            long names = found.quotaOf(directory).orElseThrow().names();
            if (names != history.model().names(directory)) {
                finds.add("the quota of %s counts %d names, want %d"
                        .formatted(directory, names, history.model().names(directory)));
            }
        }
    }
}
