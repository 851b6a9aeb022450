// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.google.common.hash.Hashing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Images of Debian packages with all that these depend on, as apt resolves it for a machine that has nothing. Images whose lower layers are
 * of the same packages share them. No script of a package runs. Confined to one thread.
 */
final class AptImages {
    /** The packages of every image's base: a shell and the programs that scripts use. */
    private static final List<String> BASE =
            List.of("base-files", "bash", "coreutils", "dash", "findutils", "grep", "libc-bin", "sed");

    private final Path directory;
    /** Layers by the packages that they and those below them install. */
    private final Map<List<String>, ImageSet.Blob> layers = new HashMap<>();

    private final Map<List<String>, Set<String>> archives = new HashMap<>();

    /** @param directory of these images alone; layers that an earlier process built there are taken as they are */
    AptImages(Path directory) {
        this.directory = directory;
    }

    /**
     * The content of an image.
     *
     * @param layers packages that each layer installs above the base, the lowest first
     * @param files texts by path, of each layer above those of packages
     */
    record Recipe(String name, List<List<String>> layers, List<Map<String, String>> files) {
        Recipe {
            layers = layers.stream().map(List::copyOf).toList();
            files = files.stream().map(Map::copyOf).toList();
        }

        /** A recipe with at most one layer of files. */
        Recipe(String name, List<List<String>> layers, Map<String, String> files) {
            this(name, layers, files.isEmpty() ? List.of() : List.of(files));
        }

        /** Returns the number of layers of the image. */
        int depth() {
            return 1 + layers.size() + files.size();
        }
    }

    /** Says what is missing on this machine, if anything is. */
    static void check() {
        DebianImages.check();
    }

    /**
     * Builds an image.
     *
     * @throws IllegalArgumentException if this machine's apt does not have a package
     */
    ImageSet.Image build(Recipe recipe) throws IOException, InterruptedException {
        List<String> packages = new ArrayList<>(BASE);
        List<ImageSet.Blob> blobs = new ArrayList<>(List.of(layer(List.copyOf(packages), Set.of())));
        for (List<String> each : recipe.layers()) {
            Set<String> below = resolved(List.copyOf(packages));
            packages.addAll(each);
            blobs.add(layer(List.copyOf(packages), below));
        }
        for (int i = 0; i < recipe.files().size(); i++) {
            String name = "%s-files-%d".formatted(recipe.name(), i);
            Path root = Files.createDirectories(directory.resolve(name));
            for (Map.Entry<String, String> file : recipe.files().get(i).entrySet()) {
                Path at = root.resolve(file.getKey());
                Files.createDirectories(Objects.requireNonNull(at.getParent()));
                Files.writeString(at, file.getValue());
            }
            blobs.add(ImageSet.tar(directory, name, root));
        }
        return ImageSet.image(directory, recipe.name(), blobs);
    }

    /** Builds an image none of whose layers another image has: each layer has a file of its own besides. */
    ImageSet.Image buildUnshared(Recipe recipe) throws IOException, InterruptedException {
        Path marker = Files.createDirectories(directory.resolve(recipe.name() + "-marker"));
        Files.writeString(marker.resolve("image-of"), recipe.name());
        List<ImageSet.Blob> blobs = new ArrayList<>();
        for (ImageSet.Blob layer : build(recipe).layers()) {
            Path own = directory.resolve("%s-%d.tar".formatted(recipe.name(), blobs.size()));
            Files.copy(layer.file(), own, StandardCopyOption.REPLACE_EXISTING);
            HostPrograms.run(
                    directory,
                    List.of("tar", "--append", "--file", own.toString(), "--directory", marker.toString(), "image-of"));
            blobs.add(ImageSet.blob(own));
        }
        return ImageSet.image(directory, recipe.name(), blobs);
    }

    private ImageSet.Blob layer(List<String> packages, Set<String> below) throws IOException, InterruptedException {
        ImageSet.Blob known = layers.get(packages);
        if (known != null) {
            return known;
        }
        Set<String> own = new LinkedHashSet<>(resolved(packages));
        own.removeAll(below);
        String name = "layer-" + Hashing.sha256().hashString(String.join(" ", own), StandardCharsets.UTF_8);
        Path whole = directory.resolve(name + ".tar");
        if (Files.exists(whole)) {
            ImageSet.Blob found = ImageSet.blob(whole);
            layers.put(packages, found);
            return found;
        }
        String part = name + ".part";
        Path root = directory.resolve(part);
        HostPrograms.run(directory, List.of("rm", "-rf", root.toString()));
        Files.createDirectories(root);
        download(packages, own);
        for (String archive : own) {
            HostPrograms.run(
                    directory,
                    List.of("dpkg-deb", "-x", downloads().resolve(archive).toString(), root.toString()));
        }
        Files.createDirectories(root.resolve("tmp"));
        ImageSet.Blob tar = ImageSet.tar(directory, part, root);
        HostPrograms.run(directory, List.of("rm", "-r", root.toString()));
        // A process that ends before this leaves no half of a layer under its name.
        Path moved = Files.move(tar.file(), whole, StandardCopyOption.ATOMIC_MOVE);
        ImageSet.Blob made = new ImageSet.Blob(tar.digest(), moved, tar.size());
        layers.put(packages, made);
        return made;
    }

    /** Brings the archives of packages unless they are there. */
    private void download(List<String> packages, Set<String> names) throws IOException, InterruptedException {
        if (!names.stream().allMatch(name -> Files.exists(downloads().resolve(name)))) {
            List<String> unused = apt("--download-only", downloads(), packages);
        }
    }

    private Path downloads() {
        return directory.resolve("archives");
    }

    /** Names of the archives of packages and of all that they depend on. */
    private Set<String> resolved(List<String> packages) throws IOException, InterruptedException {
        Set<String> known = archives.get(packages);
        if (known != null) {
            return known;
        }
        Files.createDirectories(downloads().resolve("partial"));
        Set<String> names = new LinkedHashSet<>();
        // What is downloaded already would not be in the list.
        for (String line : apt("--print-uris", directory.resolve("none"), packages)) {
            String[] words = line.split(" ", -1);
            if (words.length > 1) {
                names.add(words[1]);
            }
        }
        archives.put(packages, names);
        return names;
    }

    /** Asks apt about a machine on which nothing is installed; the lines that it prints. */
    private List<String> apt(String what, Path archives, List<String> packages)
            throws IOException, InterruptedException {
        Path nothing = Files.writeString(directory.resolve("status"), "");
        Path lines = directory.resolve("apt.lines");
        Path errors = directory.resolve("apt.errors");
        List<String> command = new ArrayList<>(List.of(
                "apt-get",
                "-o",
                "Dir::State::status=" + nothing,
                "-o",
                "Dir::Cache::archives=" + archives,
                "-o",
                "Debug::NoLocking=1",
                "-o",
                "APT::Sandbox::User=root",
                "--no-install-recommends",
                "--yes",
                "--quiet=2",
                what,
                "install"));
        command.addAll(packages);
        int exit = new ProcessBuilder(command)
                .redirectOutput(lines.toFile())
                .redirectError(errors.toFile())
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalArgumentException("apt-get install %s ended with %d: %s; apt-get update may help"
                    .formatted(
                            String.join(" ", packages),
                            exit,
                            Files.readString(errors).strip()));
        }
        return Files.readAllLines(lines);
    }
}
