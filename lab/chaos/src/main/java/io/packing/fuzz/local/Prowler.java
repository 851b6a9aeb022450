// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Scanner;

/**
 * A program of an ordinary user. It reads its attempts from standard input, a word and an argument a line. It prints
 * {@code HARM} with each forbidden success, and last {@code TRIED} with the number of attempts. It uses the JDK only,
 * so that its class file alone is enough.
 *
 * <ul>
 *   <li>{@code mark HEX}: bytes of secrets, which the program searches in all it reads.
 *   <li>{@code closed PATH}: a directory of daemons; each read, write or connect below it is harm.
 *   <li>{@code open PATH}: a directory whose modes are its users' choice; only secrets are harm.
 *   <li>{@code link PATH TARGET}: a link to plant, if possible.
 *   <li>{@code port N}: a port of a server.
 *   <li>{@code sockets PATH}: sockets below a path that the kernel's table names.
 * </ul>
 */
public final class Prowler {
    private static final int MOST_BYTES = 4 << 20;
    private static final int MOST_ENTRIES = 5_000;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int ANSWER_MILLIS = 2_000;
    private static final List<String> REQUESTS =
            List.of("/", "/metrics", "/healthz", "/readyz", "/livez", "/api/status", "/v2/_catalog");

    private final List<byte[]> marks = new ArrayList<>();
    private int tried;

    private Prowler() {}

    public static void main(String[] args) {
        Prowler prowler = new Prowler();
        try (Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8)) {
            while (lines.hasNextLine()) {
                String[] words = lines.nextLine().split(" ", -1);
                prowler.act(words);
            }
        }
        System.out.println("TRIED " + prowler.tried);
    }

    private void act(String[] words) {
        switch (words[0]) {
            case "mark" -> marks.add(HexFormat.of().parseHex(words[1]));
            case "closed" -> walk(Path.of(words[1]), true);
            case "open" -> walk(Path.of(words[1]), false);
            case "link" -> plant(Path.of(words[1]), Path.of(words[2]));
            case "port" -> port(Integer.parseInt(words[1]));
            case "sockets" -> sockets(words[1]);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    private static void harm(String what) {
        System.out.println("HARM " + what);
    }

    private void walk(Path path, boolean closed) {
        if (tried >= MOST_ENTRIES) {
            return;
        }
        tried++;
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path each : entries) {
                    if (closed) {
                        harm("lists '%s'".formatted(path));
                    }
                    search(each.toString().getBytes(StandardCharsets.UTF_8), "the name of", each);
                    walk(each, closed);
                }
            } catch (IOException e) {
                // Most of them must be denied.
            }
            make(path, closed);
        } else {
            file(path, closed);
        }
    }

    private void make(Path directory, boolean closed) {
        try {
            if (!closed && Files.getPosixFilePermissions(directory).contains(PosixFilePermission.OTHERS_WRITE)) {
                return;
            }
            Path made = Files.createFile(directory.resolve("prowler"));
            harm("makes files in '%s'".formatted(directory));
            Files.delete(made);
        } catch (IOException e) {
            // The denial is right.
        }
    }

    private void file(Path path, boolean closed) {
        boolean isFile = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        if (isFile) {
            try (InputStream in = Files.newInputStream(path)) {
                byte[] bytes = in.readNBytes(MOST_BYTES);
                if (closed) {
                    harm("reads '%s'".formatted(path));
                }
                search(bytes, "the bytes of", path);
            } catch (IOException e) {
                // The denial is right.
            }
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                if (channel.isOpen()) {
                    harm("writes '%s'".formatted(path));
                }
            } catch (IOException e) {
                // The denial is right.
            }
        } else if (!Files.isSymbolicLink(path)) {
            connect(path);
        }
        replace(path);
    }

    /** Moves a file away and back. */
    private static void replace(Path path) {
        Path aside = path.resolveSibling("prowler-" + path.getFileName());
        try {
            Path unused = Files.move(path, aside);
            unused = Files.move(aside, path);
            harm("replaces '%s'".formatted(path));
        } catch (IOException e) {
            // The denial is right.
        }
    }

    private void search(byte[] bytes, String where, Path path) {
        for (byte[] mark : marks) {
            for (int at = 0; at + mark.length <= bytes.length; at++) {
                int same = 0;
                while (same < mark.length && bytes[at + same] == mark[same]) {
                    same++;
                }
                if (same == mark.length) {
                    harm("has a secret from %s '%s'".formatted(where, path));
                    return;
                }
            }
        }
    }

    private void plant(Path link, Path target) {
        tried++;
        try {
            Path unused = Files.createSymbolicLink(link, target);
        } catch (IOException e) {
            // The denial is right, or the link exists already.
        }
    }

    private void sockets(String below) {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/net/unix"))) {
                int at = line.indexOf(" " + below);
                if (at >= 0) {
                    connect(Path.of(line.substring(at + 1)));
                }
            }
        } catch (IOException e) {
            // This host has no such table.
        }
    }

    private void connect(Path socket) {
        tried++;
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            if (channel.connect(UnixDomainSocketAddress.of(socket))) {
                harm("connects to '%s'".formatted(socket));
            }
        } catch (IOException e) {
            // The denial is right; other files than sockets cannot connect.
        }
    }

    private void port(int port) {
        for (String request : REQUESTS) {
            tried++;
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
                socket.setSoTimeout(ANSWER_MILLIS);
                socket.getOutputStream()
                        .write("GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                .formatted(request)
                                .getBytes(StandardCharsets.US_ASCII));
                byte[] answer = socket.getInputStream().readNBytes(MOST_BYTES);
                search(answer, "port %d,".formatted(port), Path.of(request));
            } catch (IOException e) {
                // The port has another protocol.
            }
        }
    }
}
