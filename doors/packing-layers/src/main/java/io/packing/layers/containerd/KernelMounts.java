// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Mounts of metadata images and of overlays over them, by {@code mount}. */
final class KernelMounts {
    private static final String EROFS = "erofs";

    private KernelMounts() {}

    /** Returns whether a metadata image is mounted at a directory. */
    static boolean isImageAt(Path directory) throws IOException {
        return KernelMountTable.typeAt(directory).filter(EROFS::equals).isPresent();
    }

    /**
     * Returns whether the server of a mount answers; waits while its keeper starts another one. It asks for the space, since the kernel
     * answers a {@code stat} of a dead mount from its memory.
     */
    static boolean isAnswered(Path directory) throws IOException {
        if (KernelMountTable.typeAt(directory)
                .filter(type -> type.startsWith("fuse"))
                .isEmpty()) {
            return false;
        }
        try {
            long unused = Files.getFileStore(directory).getTotalSpace();
            return true;
        } catch (FileSystemException e) {
            return false;
        }
    }

    /** Mounts a metadata image by a loop device, which goes with the mount. */
    static void image(Path image, Path at) throws IOException, InterruptedException {
        // An overlay takes neither devices nor set-user-ID bits from here, but its own flags.
        mount(List.of("-t", EROFS, "-o", "ro,nosuid,nodev,loop", image.toString(), at.toString()));
    }

    /** Mounts an overlay of a metadata image and the directory that has the bytes, read-only. */
    static void overlay(ChainRoot root, Path at) throws IOException, InterruptedException {
        SnapshotMount mount = SnapshotMount.ofRoot(List.of(), root, List.of("ro"));
        mount(List.of("-t", mount.type(), "-o", String.join(",", mount.options()), mount.source(), at.toString()));
    }

    private static void mount(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mount", "-i"));
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException("mount ended with %d: %s".formatted(code, said));
        }
    }
}
