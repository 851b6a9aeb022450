// SPDX-License-Identifier: Apache-2.0
package io.packing.it.rollback;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.AtomicOutput;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/** Random possible changes of a mount and of its model. */
final class RandomChanges {
    private static final int MOST_ENTRIES = 60;
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    private final Random random;
    private final RollbackHistory history;
    private int snapshots;

    RandomChanges(Random random, RollbackHistory history) {
        this.random = random;
        this.history = history;
    }

    private TreeModel model() {
        return history.model();
    }

    /** Makes a change; returns its description. */
    String change(PackingFileSystem mount) throws IOException {
        List<String> files = List.copyOf(model().files().keySet());
        if (files.isEmpty() || random.nextInt(3) == 0) {
            return write(mount, files);
        }
        boolean large = model().entries().size() > MOST_ENTRIES;
        String file = one(files);
        switch (random.nextInt(large ? 9 : 16)) {
            case 0 -> {
                return writeAt(mount, file);
            }
            case 1, 2 -> {
                return delete(mount, file);
            }
            case 3 -> {
                return deleteDirectory(mount);
            }
            case 4 -> {
                return dropSnapshot(mount);
            }
            case 5 -> {
                return rename(mount, file);
            }
            case 6 -> {
                return range(mount, file, files);
            }
            case 7 -> {
                return renameDirectory(mount);
            }
            case 8 -> {
                return quota(mount);
            }
            case 9 -> {
                return makeDirectory(mount);
            }
            case 10, 11 -> {
                return link(mount, file);
            }
            case 12 -> {
                return cloneFile(mount, file);
            }
            case 13 -> {
                return cloneDirectory(mount);
            }
            case 14 -> {
                return takeSnapshot(mount);
            }
            default -> {
                return restore(mount);
            }
        }
    }

    /** Draws requests that do not depend on each other. */
    List<RequestsUnderWay.Request> requests(int count) {
        Set<String> taken = new HashSet<>();
        List<RequestsUnderWay.Request> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> files = model().files().keySet().stream()
                    .filter(each -> !taken.contains(each)
                            && model().names(model().file(each)).size() == 1)
                    .toList();
            String to = TreeModel.child(one(model().places()), "u" + random.nextInt(1_000_000));
            String file = files.isEmpty() ? to : one(files);
            if (model().exists(to) || !taken.add(file) || (!file.equals(to) && !taken.add(to))) {
                continue;
            }
            switch (files.isEmpty() ? 0 : random.nextInt(4)) {
                case 0 -> requests.add(RequestsUnderWay.Request.write(to, history.toWrite(bytes())));
                case 1 -> requests.add(RequestsUnderWay.Request.write(file, history.toWrite(bytes())));
                case 2 -> requests.add(RequestsUnderWay.Request.delete(file));
                default -> requests.add(RequestsUnderWay.Request.rename(file, to, model().file(file)));
            }
        }
        return requests;
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private String name() {
        return "f" + random.nextInt(6);
    }

    /** Returns a free name in an existing directory; some have many digits. */
    private String free(String in) {
        String path = TreeModel.child(in, name());
        return model().exists(path) ? TreeModel.child(in, "n" + random.nextInt(1_000_000)) : path;
    }

    private byte[] bytes() {
        int length = switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> 70_000 + random.nextInt(200_000);
            case 2 -> 20_000;
            default -> 8 + random.nextInt(5_000);
        };
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private String write(PackingFileSystem mount, List<String> files) throws IOException {
        boolean over = !files.isEmpty() && random.nextInt(3) == 0;
        String path =
                over ? one(files) : free(random.nextInt(6) == 0 ? "/d" + random.nextInt(3) : one(model().places()));
        byte[] bytes = bytes();
        PackingOutput out = mount.create(new FilePath(path), new CreateOptions("u", "g", 0644, true, over));
        out.write(bytes);
        out.close();
        model().write(path, bytes, history.nextWrite());
        history.written(path);
        return "write %d bytes to %s".formatted(bytes.length, path);
    }

    private String writeAt(PackingFileSystem mount, String path) throws IOException {
        byte[] bytes = new byte[1 + random.nextInt(3_000)];
        random.nextBytes(bytes);
        int length = model().file(path).bytes().length;
        int at = random.nextBoolean() ? length : random.nextInt(length + 1);
        AtomicOutput out = mount.writeAt(new FilePath(path), at);
        out.write(bytes);
        out.close();
        int write = history.nextWrite();
        model().change(path, file -> {
            byte[] all = Arrays.copyOf(file.bytes(), Math.max(file.bytes().length, at + bytes.length));
            System.arraycopy(bytes, 0, all, at, bytes.length);
            return file.with(all, Set.of(write));
        });
        touchNames(path);
        return "write %d bytes at %d of %s".formatted(bytes.length, at, path);
    }

    private void touchNames(String path) {
        model().names(model().file(path)).forEach(history::touched);
    }

    private static void apply(PackingFileSystem mount, Operation operation) throws IOException {
        VectorResult result = mount.bdt().apply(OperationVector.of(operation));
        assertThat(result).as("%s", operation).isInstanceOf(VectorResult.Applied.class);
    }

    private static void done(Outcome outcome, String what) {
        assertThat(outcome).as(what).isEqualTo(Outcome.DONE);
    }

    private String delete(PackingFileSystem mount, String path) throws IOException {
        touchNames(path);
        done(mount.bdt().delete(new FilePath(path), false), path);
        model().delete(path);
        return "delete " + path;
    }

    private String deleteDirectory(PackingFileSystem mount) throws IOException {
        List<String> may = model().directories().stream()
                .filter(each -> !model().hasSnapshotsBelow(each))
                .toList();
        if (may.isEmpty() || random.nextInt(3) > 0) {
            return "nothing";
        }
        String path = one(may);
        touchTree(path);
        done(mount.bdt().delete(new FilePath(path), true), path);
        model().delete(path);
        return "delete the tree " + path;
    }

    /** Notes that names elsewhere of files in a tree lose a name. */
    private void touchTree(String path) {
        history.touched(path);
    }

    private String rename(PackingFileSystem mount, String from) throws IOException {
        String to = free(one(model().places()));
        apply(mount, new Operation.Rename(new FilePath(from), new FilePath(to), random.nextBoolean()));
        model().rename(from, to);
        history.touched(from);
        history.touched(to);
        return "rename %s to %s".formatted(from, to);
    }

    private String renameDirectory(PackingFileSystem mount) throws IOException {
        List<String> directories = List.copyOf(model().directories());
        if (directories.isEmpty()) {
            return "nothing";
        }
        String from = one(directories);
        List<String> into = model().places().stream()
                .filter(each -> !TreeModel.isIn(from, each))
                .toList();
        String to = free(one(into));
        apply(mount, new Operation.Rename(new FilePath(from), new FilePath(to), false));
        model().rename(from, to);
        history.touched(from);
        history.touched(to);
        return "rename the directory %s to %s".formatted(from, to);
    }

    private String makeDirectory(PackingFileSystem mount) throws IOException {
        String path = TreeModel.child(one(model().places()), "d" + random.nextInt(3));
        if (model().exists(path) || path.length() > 20) {
            return "nothing";
        }
        done(mount.bdt().mkdir(new FilePath(path), DIRECTORY, false), path);
        model().makeDirectory(path);
        history.touched(path);
        return "make the directory " + path;
    }

    private String range(PackingFileSystem mount, String path, List<String> files) throws IOException {
        int length = model().file(path).bytes().length;
        switch (random.nextInt(3)) {
            case 0 -> {
                int to = random.nextInt(length + 2_000);
                apply(mount, new Operation.Truncate(new FilePath(path), to));
                model().change(path, file -> file.with(Arrays.copyOf(file.bytes(), to)));
                touchNames(path);
                return "set the length of %s to %d".formatted(path, to);
            }
            case 1 -> {
                if (length < 2) {
                    return "nothing";
                }
                int from = random.nextInt(length - 1);
                int end = from + 1 + random.nextInt(length - from - 1);
                apply(mount, new Operation.DeleteRange(new ByteRange(new FilePath(path), from, end - from)));
                model().change(path, file -> {
                    byte[] bytes = file.bytes().clone();
                    Arrays.fill(bytes, from, end, (byte) 0);
                    return file.with(bytes);
                });
                touchNames(path);
                return "punch %d to %d of %s".formatted(from, end, path);
            }
            default -> {
                return cloneRange(mount, path, one(files), length);
            }
        }
    }

    private String cloneRange(PackingFileSystem mount, String from, String to, int length) throws IOException {
        if (length == 0 || model().names(model().file(from)).contains(to)) {
            return "nothing";
        }
        int offset = random.nextInt(length);
        int count = 1 + random.nextInt(length - offset);
        int at = random.nextInt(3_000);
        apply(mount, new Operation.CloneRange(new ByteRange(new FilePath(from), offset, count), new FilePath(to), at));
        ModelFile source = model().file(from);
        model().change(to, file -> {
            byte[] bytes = Arrays.copyOf(file.bytes(), Math.max(file.bytes().length, at + count));
            System.arraycopy(source.bytes(), offset, bytes, at, count);
            return file.with(bytes, source.writes());
        });
        touchNames(to);
        return "clone %d bytes at %d of %s to %d of %s".formatted(count, offset, from, at, to);
    }

    private String link(PackingFileSystem mount, String file) throws IOException {
        String name = free(one(model().places()));
        apply(mount, new Operation.Link(new FilePath(file), new FilePath(name)));
        model().link(file, name);
        history.touched(name);
        return "link %s as %s".formatted(file, name);
    }

    private String cloneFile(PackingFileSystem mount, String file) throws IOException {
        String to = free(one(model().places()));
        apply(mount, new Operation.CloneFile(new FilePath(file), new FilePath(to), false, AttributeChange.NONE));
        model().cloneFile(file, to);
        history.touched(to);
        return "clone %s to %s".formatted(file, to);
    }

    private String cloneDirectory(PackingFileSystem mount) throws IOException {
        List<String> directories = List.copyOf(model().directories());
        if (directories.isEmpty()) {
            return "nothing";
        }
        return cloneTree(mount, one(directories));
    }

    private String cloneTree(PackingFileSystem mount, String from) throws IOException {
        List<String> into = model().places().stream()
                .filter(each -> !TreeModel.isIn(from, each))
                .toList();
        String to = free(one(into));
        apply(mount, new Operation.CloneDirectory(new FilePath(from), new FilePath(to)));
        model().cloneDirectory(from, to);
        history.touched(to);
        return "clone the tree %s to %s".formatted(from, to);
    }

    private String takeSnapshot(PackingFileSystem mount) throws IOException {
        String directory = one(model().places());
        String name = "s" + snapshots++;
        apply(mount, new Operation.TakeSnapshot(new FilePath(directory), name));
        model().takeSnapshot(directory, name);
        history.touched(TreeModel.child(directory, ".snapshot/" + name));
        return "snapshot %s of %s".formatted(name, directory);
    }

    private String dropSnapshot(PackingFileSystem mount) throws IOException {
        List<String> all = List.copyOf(model().snapshots());
        if (all.isEmpty()) {
            return "nothing";
        }
        String path = one(all);
        int at = path.indexOf("/.snapshot/");
        String directory = at == 0 ? "/" : path.substring(0, at);
        apply(mount, new Operation.DropSnapshot(new FilePath(directory), path.substring(at + "/.snapshot/".length())));
        model().dropSnapshot(path);
        history.touched(path);
        return "drop " + path;
    }

    /** Restores a file or a tree of a snapshot at another name. */
    private String restore(PackingFileSystem mount) throws IOException {
        List<String> kept = model().entries().keySet().stream()
                .filter(each -> each.contains("/.snapshot/"))
                // A clone of the root would have the reserved directory, too, which the model does not know.
                .filter(each -> !TreeModel.parent(each).equals("/.snapshot"))
                .collect(Collectors.toList());
        if (kept.isEmpty()) {
            return "nothing";
        }
        String from = one(kept);
        return model().entries().getOrDefault(from, Optional.empty()).isPresent()
                ? cloneFile(mount, from)
                : cloneTree(mount, from);
    }

    private String quota(PackingFileSystem mount) throws IOException {
        String directory = one(model().places());
        boolean clear = model().quotas().contains(directory) && random.nextBoolean();
        QuotaChange change = clear
                ? QuotaChange.CLEAR
                : new QuotaChange(OptionalLong.of(1_000_000), OptionalLong.of(Long.MAX_VALUE / 2));
        done(mount.bdt().setQuota(new FilePath(directory), change), directory);
        if (clear) {
            model().clearQuota(directory);
        } else {
            model().putQuota(directory);
        }
        history.touchedQuota();
        return "%s the quota of %s".formatted(clear ? "clear" : "set", directory);
    }
}
