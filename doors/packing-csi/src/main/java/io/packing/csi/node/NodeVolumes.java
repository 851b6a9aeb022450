// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.node;

import io.packing.csi.volume.CsiId;
import io.packing.csi.volume.CsiRefusal;
import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volumes of a node: staged ones, which are mounted once, and the targets that show them to pods. What is mounted where is read from the
 * kernel; records on disk say how. Two calls about one volume may not run at once.
 */
public final class NodeVolumes {
    private static final Logger LOG = LoggerFactory.getLogger(NodeVolumes.class);

    private final VolumeStaging staging;
    private final Path records;

    /** @param records a directory for a file of each staged volume */
    public NodeVolumes(VolumeStaging staging, Path records) {
        this.staging = staging;
        this.records = records;
    }

    /** Mounts a volume at a directory, unless it is mounted there. */
    public void stage(CsiId volume, Path directory, MountFlags flags) throws IOException, InterruptedException {
        Path at = absolute(directory);
        Optional<StagedRecord> before = StagedRecord.read(records, volume);
        if (before.isPresent()
                && !before.get().directory().equals(at)
                && isOf(volume, KernelMountTable.at(before.get().directory()))) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.FAILED_PRECONDITION,
                    "the volume %s is staged at %s: unstage it there first"
                            .formatted(volume, before.get().directory()));
        }
        if (isThere(volume, at, flags.readOnly())) {
            return;
        }
        new StagedRecord(volume, at, flags).write(records);
        try {
            staging.mount(volume, at, flags);
        } catch (IOException | RuntimeException e) {
            if (!isOf(volume, KernelMountTable.at(at))) {
                StagedRecord.remove(records, volume);
            }
            throw e;
        }
    }

    /** Returns whether a living mount of the volume is at a directory; takes a dead one away. */
    private static boolean isThere(CsiId volume, Path at, boolean readOnly) throws IOException, InterruptedException {
        Optional<KernelMountTable.Entry> entry = KernelMountTable.at(at);
        if (entry.isEmpty()) {
            return false;
        }
        if (!isOf(volume, entry)) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.FAILED_PRECONDITION,
                    "%s has another mount, of %s: unmount it first"
                            .formatted(at, entry.get().source()));
        }
        if (KernelMountTable.isDead(at)) {
            KernelMountTable.unmount(at);
            return isThere(volume, at, readOnly);
        }
        if (entry.get().readOnly() != readOnly) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.ALREADY_EXISTS,
                    "the volume %s is at %s already, %s"
                            .formatted(volume, at, entry.get().readOnly() ? "read-only" : "for reads and writes"));
        }
        return true;
    }

    private static boolean isOf(CsiId volume, Optional<KernelMountTable.Entry> entry) {
        return entry.filter(found -> found.source().equals(MountTerms.source(volume)))
                .isPresent();
    }

    private static Path absolute(Path path) throws CsiRefusal {
        if (!path.isAbsolute() || !path.equals(path.normalize())) {
            throw CsiRefusal.invalid("'%s' is no absolute path, or has dots in it".formatted(path));
        }
        return path;
    }

    /** Unmounts a staged volume; one that is not staged is no error. */
    public void unstage(CsiId volume, Path directory) throws IOException, InterruptedException {
        Path at = absolute(directory);
        Optional<KernelMountTable.Entry> entry = KernelMountTable.at(at);
        if (entry.isPresent() && !isOf(volume, entry)) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.FAILED_PRECONDITION,
                    "%s has another mount, of %s".formatted(at, entry.get().source()));
        }
        staging.unmount(volume, at);
        StagedRecord.remove(records, volume);
    }

    /**
     * Shows a staged volume at a target.
     *
     * @param alone whether the volume may have no other target on this node
     */
    public void publish(CsiId volume, Path staged, Path target, boolean readOnly, boolean alone)
            throws IOException, InterruptedException {
        Path from = absolute(staged);
        Path to = absolute(target);
        mend(volume);
        mountIfGone(volume, from);
        Optional<KernelMountTable.Entry> source = KernelMountTable.at(from);
        if (!isOf(volume, source) || KernelMountTable.isDead(from)) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.FAILED_PRECONDITION,
                    "the volume %s is not staged at %s: stage it first".formatted(volume, from));
        }
        boolean isReadOnly = readOnly || source.get().readOnly();
        if (alone) {
            for (KernelMountTable.Entry each : mounts(volume)) {
                if (!each.directory().equals(from) && !each.directory().equals(to)) {
                    throw new CsiRefusal(
                            CsiRefusal.Reason.FAILED_PRECONDITION,
                            "the volume %s has a single writer, at %s".formatted(volume, each.directory()));
                }
            }
        }
        if (isThere(volume, to, isReadOnly)) {
            return;
        }
        boolean isMade = makeTarget(to);
        try {
            BindMount.make(from, to, isReadOnly);
        } catch (IOException | RuntimeException e) {
            if (isMade) {
                boolean unused = Files.deleteIfExists(to);
            }
            throw e;
        }
    }

    /** Mounts a staged volume whose server unmounted it: a server that loses its keeper does so, and the kubelet knows of no reason to stage again. */
    private void mountIfGone(CsiId volume, Path staged) throws IOException, InterruptedException {
        Optional<StagedRecord> record = StagedRecord.read(records, volume);
        if (record.isPresent()
                && record.get().directory().equals(staged)
                && KernelMountTable.at(staged).isEmpty()) {
            LOG.warn("volume {} is no longer mounted; it is mounted again at {}", volume, staged);
            staging.mount(volume, staged, record.get().flags());
        }
    }

    private static boolean makeTarget(Path target) throws IOException {
        if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        Path above = target.getParent();
        if (above != null) {
            Files.createDirectories(above);
        }
        Files.createDirectory(target);
        return true;
    }

    /** Takes a target away, with its empty directory; one that is not there is no error. */
    public void unpublish(Path target) throws IOException, InterruptedException {
        Path at = absolute(target);
        for (Optional<KernelMountTable.Entry> entry = KernelMountTable.at(at);
                entry.isPresent();
                entry = KernelMountTable.at(at)) {
            if (!entry.get().source().startsWith(MountTerms.SOURCES)) {
                throw new CsiRefusal(
                        CsiRefusal.Reason.FAILED_PRECONDITION,
                        "%s has another mount, of %s".formatted(at, entry.get().source()));
            }
            KernelMountTable.unmount(at);
        }
        // An empty directory only: a file in it is no volume's.
        boolean unused = Files.deleteIfExists(at);
    }

    private static List<KernelMountTable.Entry> mounts(CsiId volume) throws IOException {
        String source = MountTerms.source(volume);
        return KernelMountTable.entries().stream()
                .filter(each -> each.source().equals(source))
                .toList();
    }

    /** Returns whether a volume is mounted at a directory. */
    public boolean isAt(CsiId volume, Path directory) throws IOException {
        return directory.isAbsolute() && isOf(volume, KernelMountTable.at(directory));
    }

    /** Returns why a mounted volume does not answer; empty: it does. */
    public Optional<String> whyDead(CsiId volume) throws IOException {
        for (KernelMountTable.Entry each : mounts(volume)) {
            if (KernelMountTable.isDead(each.directory())) {
                return Optional.of("the server of the mount at %s is gone".formatted(each.directory()));
            }
        }
        return Optional.empty();
    }

    /** Mounts a staged volume again whose server and keeper died, and shows it at its targets again; returns whether it did. */
    public boolean mend(CsiId volume) throws IOException, InterruptedException {
        Optional<StagedRecord> record = StagedRecord.read(records, volume);
        if (record.isEmpty() || whyDead(volume).isEmpty()) {
            return false;
        }
        Path staged = record.get().directory();
        List<KernelMountTable.Entry> targets = new ArrayList<>();
        for (KernelMountTable.Entry each : mounts(volume)) {
            if (!each.directory().equals(staged) && KernelMountTable.isDead(each.directory())) {
                targets.add(each);
            }
        }
        LOG.warn("the mount of volume {} died; it is mounted again at {}", volume, staged);
        boolean isAlive = KernelMountTable.at(staged).isPresent() && !KernelMountTable.isDead(staged);
        if (!isAlive) {
            KernelMountTable.unmount(staged);
            for (KernelMountTable.Entry each : targets) {
                KernelMountTable.unmount(each.directory());
            }
            staging.mount(volume, staged, record.get().flags());
        }
        for (KernelMountTable.Entry each : targets) {
            KernelMountTable.unmount(each.directory());
            BindMount.make(staged, each.directory(), each.readOnly());
        }
        return true;
    }

    /** Mends all staged volumes, after a start of the driver. One that cannot be mended is left to the next call about it. */
    public void mendAll() throws InterruptedException {
        List<StagedRecord> all;
        try {
            all = StagedRecord.all(records);
        } catch (IOException e) {
            LOG.warn("the records of staged volumes in {} could not be read", records, e);
            return;
        }
        for (StagedRecord each : all) {
            try {
                boolean isMended = mend(each.volume());
                LOG.info("volume {} is staged at {}{}", each.volume(), each.directory(), isMended ? " again" : "");
            } catch (IOException | RuntimeException e) {
                LOG.warn("the mount of volume {} could not be mended", each.volume(), e);
            }
        }
    }
}
