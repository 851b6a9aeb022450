// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnknownFieldSet;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.layers.OpenRegistry;
import io.packing.layers.root.PushedTrees;
import io.packing.process.Await;
import io.packing.process.ContainerdProcess;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.registry.RegistryOptions;
import io.packing.registry.RegistryServer;
import io.packing.registry.access.Access;
import io.packing.registry.oci.Digest;
import io.packing.transport.UnixSocketChannel;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A registry of this JVM, a snapshotter as an operator starts it, and the machine's containerd with a root of its own. */
final class ContainerdRig implements AutoCloseable {
    private static final int RUNS = 3;
    private static final String END = "end\n";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final Duration START = Duration.ofMinutes(2);

    private final Path home;
    private final CommandMount mount;
    private final OpenRegistry layers;
    private final RegistryServer server;
    private final ContainerdProcess containerd;
    private final UnixSocketChannel cri;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private Optional<JavaProcess> plugin = Optional.empty();
    private int names;

    ContainerdRig(Path home) throws IOException, InterruptedException {
        this.home = home;
        this.mount = CommandMount.start(home);
        this.layers = new OpenRegistry(mount.registryFiles(), new FilePath("/registry"));
        this.server = RegistryServer.start(
                RegistryOptions.local(new FilePath("/registry")),
                mount.registryFiles(),
                Optional.of(new PushedTrees(layers)),
                Access.OPEN,
                new SimpleMeterRegistry());
        startPlugin();
        this.containerd = ContainerdProcess.start(home, pluginSocket(), "packing");
        this.cri = UnixSocketChannel.open(containerd.socket());
        Await.until("containerd finds the snapshotter", START, this::findsSnapshotter);
    }

    /** Returns the programs that this machine lacks; empty: none. */
    static Optional<String> missing() {
        List<String> missing = Stream.of("containerd", "ctr", "runc")
                .filter(name -> Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                        .noneMatch(folder -> Files.isExecutable(Path.of(folder, name))))
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "no %s on the path: apt-get install containerd runc".formatted(String.join(", ", missing)));
    }

    /** Returns the socket of the snapshotter. */
    Path pluginSocket() {
        return home.resolve("plugin/p.sock");
    }

    private Path pluginRoot() {
        return home.resolve("snapshots");
    }

    void startPlugin() throws IOException, InterruptedException {
        JavaProcess process = JavaProcess.start(
                new JavaCommand(
                                "containerd-plugin",
                                Main.class.getName(),
                                List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)),
                                256,
                                Map.of("packing.log", home.resolve("plugin.log").toString()),
                                List.of(
                                        "layers",
                                        mount.uri() + "registry",
                                        "--containerd",
                                        pluginSocket().toString(),
                                        "--containerd-root",
                                        pluginRoot().toString(),
                                        "--option",
                                        "packing.master.timeout=2s"))
                        .brief(),
                home.resolve("logs"));
        plugin = Optional.of(process);
        String unused = process.awaitLine("snapshotter of ", START);
    }

    void killPlugin() throws InterruptedException {
        plugin.orElseThrow().kill();
    }

    /** Returns whether a call of containerd reaches the snapshotter. */
    boolean findsSnapshotter() throws IOException, InterruptedException {
        String name = name();
        Process view = containerd
                .ctr("snapshots", "--snapshotter", "packing", "view", name)
                .redirectErrorStream(true)
                .start();
        byte[] unused = view.getInputStream().readAllBytes();
        if (view.waitFor() != 0) {
            return false;
        }
        String unusedToo = ctr("snapshots", "--snapshotter", "packing", "rm", name);
        return true;
    }

    /** Runs containerd's own client to its end; returns its output. */
    String ctr(String... words) throws IOException, InterruptedException {
        Path errors = home.resolve("ctr.err");
        Process process = containerd.ctr(words).redirectError(errors.toFile()).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("ctr %s ended with %d: %s%s"
                    .formatted(String.join(" ", words), exit, said, Files.readString(errors)));
        }
        return said;
    }

    /** Returns a new name of a container: runc has one list of them for all containerds of a machine. */
    String name() {
        return "packing-%s-%d".formatted(home.getFileName(), ++names);
    }

    /**
     * Runs a container of an image that has a shell; returns what the program prints. One of some hundred runs loses what a process printed at
     * its end (containerd's issue 5741). So a mark comes last, and without it another container runs the program.
     */
    String run(String image, String... command) throws IOException, InterruptedException {
        String printed = "";
        for (int tries = 0; tries < RUNS && !printed.endsWith(END); tries++) {
            List<String> words = new ArrayList<>(List.of("run", "--rm", "--snapshotter", "packing", image, name()));
            words.addAll(List.of("sh", "-c", "\"$@\" && echo end", "sh"));
            words.addAll(List.of(command));
            printed = ctr(words.toArray(String[]::new));
        }
        assertThat(printed).as("the output of %s", List.of(command)).endsWith(END);
        return printed.substring(0, printed.length() - END.length());
    }

    /** Pulls an image as Kubernetes does: containerd unpacks it while it pulls. */
    void pull(String image) {
        UnknownFieldSet.Field name = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(image))
                .build();
        UnknownFieldSet.Field spec = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(
                        UnknownFieldSet.newBuilder().addField(1, name).build().toByteString())
                .build();
        Empty request = Empty.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder().addField(1, spec).build())
                .build();
        MethodDescriptor<Empty, Empty> method = MethodDescriptor.<Empty, Empty>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("runtime.v1.ImageService/PullImage")
                .setRequestMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
                .build();
        Empty unused = ClientCalls.blockingUnaryCall(cri.channel(), method, CallOptions.DEFAULT, request);
    }

    /** Removes all images from containerd, by all of their names. */
    void removeImages() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("images", "rm", "--sync"));
        words.addAll(ctr("images", "ls", "-q").lines().toList());
        String unused = ctr(words.toArray(String[]::new));
    }

    /** Pushes an image of layers, which are tars; returns its name. */
    String push(String repository, List<byte[]> tars) throws IOException, InterruptedException {
        return push(repository, tars, List.of());
    }

    /** Pushes an image of layers, which are tars, with the words of the command of its containers; returns its name. */
    String push(String repository, List<byte[]> tars, List<String> command) throws IOException, InterruptedException {
        List<String> descriptors = new ArrayList<>();
        List<String> diffs = new ArrayList<>();
        for (byte[] tar : tars) {
            blob(repository, tar);
            descriptors.add(descriptor("application/vnd.oci.image.layer.v1.tar", tar));
            diffs.add('"' + digest(tar).toString() + '"');
        }
        byte[] config =
                "{\"architecture\":\"amd64\",\"os\":\"linux\",\"config\":{\"Env\":[\"PATH=/usr/bin:/bin\"],\"Cmd\":[%s]},\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[%s]}}"
                        .formatted(
                                command.stream().map(word -> '"' + word + '"').collect(Collectors.joining(",")),
                                String.join(",", diffs))
                        .getBytes(StandardCharsets.UTF_8);
        blob(repository, config);
        byte[] manifest = "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"config\":%s,\"layers\":[%s]}"
                .formatted(
                        MANIFEST,
                        descriptor("application/vnd.oci.image.config.v1+json", config),
                        String.join(",", descriptors))
                .getBytes(StandardCharsets.UTF_8);
        send("PUT", "/v2/%s/manifests/v1".formatted(repository), MANIFEST, manifest);
        server.awaitPushed();
        return "%s/%s:v1".formatted(server.uri().getAuthority(), repository);
    }

    /** Returns containerd's socket. */
    Path socket() {
        return containerd.socket();
    }

    static Digest digest(byte[] bytes) {
        return Digest.Algorithm.SHA256.of(bytes);
    }

    private static String descriptor(String type, byte[] blob) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(type, digest(blob), blob.length);
    }

    private void blob(String repository, byte[] blob) throws IOException, InterruptedException {
        send(
                "POST",
                "/v2/%s/blobs/uploads/?digest=%s".formatted(repository, digest(blob)),
                "application/octet-stream",
                blob);
    }

    private void send(String method, String path, String type, byte[] body) throws IOException, InterruptedException {
        URI uri = server.uri().resolve(path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.ofByteArray(body))
                .header("Content-Type", type)
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != 201) {
            throw new IOException("%s %s: %d %s".formatted(method, path, answer.statusCode(), answer.body()));
        }
    }

    /** Returns the names of the containers that snapshotters made in the registry. */
    List<String> containersOfRegistry() throws IOException {
        return mount.registryFiles().list(new FilePath("/registry/containers"), "", 100).orElse(List.of()).stream()
                .map(each -> each.path().name())
                .toList();
    }

    /** Returns the mounted metadata images of the snapshotter. */
    List<Path> metadataImages() throws IOException {
        return KernelMountTable.entries().stream()
                .filter(each -> each.type().equals("erofs"))
                .map(KernelMountTable.Entry::directory)
                .filter(each -> each.startsWith(pluginRoot()))
                .toList();
    }

    /** Kills the server of the trees; its keeper starts another one. */
    void killRootsServer() {
        rootsProcesses(false).forEach(ProcessHandle::destroyForcibly);
    }

    /** Kills the server of the trees together with its keeper, which goes first: it would start another server. */
    void killRootsServerAndKeeper() throws IOException, InterruptedException {
        rootsProcesses(true).forEach(ProcessHandle::destroyForcibly);
        killRootsServer();
        Path mounted = pluginRoot().resolve("roots");
        Await.until("the mount is dead", () -> !isAnswered(mounted));
    }

    /** Returns whether a mount's server answers, which a stat from the kernel's memory does not tell. */
    private static boolean isAnswered(Path mounted) throws IOException {
        try {
            return Files.getFileStore(mounted).getTotalSpace() >= 0;
        } catch (FileSystemException e) {
            return false;
        }
    }

    /** Returns the keepers of the mount of trees, or its servers. A keeper has the command of its server as well. */
    private List<ProcessHandle> rootsProcesses(boolean areKeepers) {
        String mounted = pluginRoot().resolve("roots") + "\0";
        return ProcessHandle.allProcesses()
                .filter(each -> {
                    String command = commandLine(each.pid());
                    return command.contains(mounted)
                            && command.contains("RootsServerMain\0")
                            && command.contains("packing-mount\0") == areKeepers;
                })
                .toList();
    }

    /** Returns the words of a process, each with a NUL behind it; none once it has ended. */
    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/%d/cmdline".formatted(pid)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the root of a running container, as the kernel shows it to this process. */
    Path rootOf(String container) throws IOException, InterruptedException {
        String pid = ctr("task", "ls")
                .lines()
                .map(line -> line.split("\\s+", -1))
                .filter(words -> words[0].equals(container))
                .map(words -> words[1])
                .findFirst()
                .orElseThrow();
        return Path.of("/proc", pid, "root");
    }

    void stopMaster() {
        mount.stopMaster();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try (mount) {
            cri.close();
            for (String task : ctr("task", "ls", "-q").lines().toList()) {
                ctr("task", "kill", "--signal", "SIGKILL", task);
                Await.until("the task ends", () -> ctr("task", "ls").contains("STOPPED"));
                ctr("task", "rm", task);
            }
            containerd.close();
            plugin.ifPresent(JavaProcess::close);
            for (KernelMountTable.Entry each : KernelMountTable.entries()) {
                if (each.directory().startsWith(home.toRealPath())) {
                    KernelMountTable.unmount(each.directory());
                }
            }
            server.close();
            layers.close();
        }
    }
}
