// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that runs for long in a container, and who asks it: the two databases and two web servers of Slacker's Figure 5.8.
 *
 * @param recipe its image
 * @param script what starts it; {@code PORT} is where it is to listen
 */
record LongServer(AptImages.Recipe recipe, String script, Load load) {
    private static final Pattern TRANSACTIONS = Pattern.compile("tps = ([0-9.]+)");
    private static final int READY = 'Z';
    private static final int ERROR = 'E';
    private static final String PASSWD =
            "root:x:0:0::/root:/bin/sh\npostgres:x:70:70::/tmp:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n";
    private static final String GROUP = "root:x:0:\npostgres:x:70:\nnogroup:x:65534:\n";
    private static final String NODE = """
        const http = require("http");
        let count = 0;
        http.createServer((request, response) => {
          const words = [];
          for (let i = 0; i < 100; i++) words.push((count + i).toString(36));
          const page = `<p>request ${count++} of ${request.url}</p><p>${words.join(" ")}</p>`;
          response.writeHead(200, {"Content-Type": "text/html", "Content-Length": Buffer.byteLength(page)});
          response.end(page);
        }).listen(Number(process.env.PORT), "127.0.0.1");
        """;
    private static final String APACHE = """
        ServerName localhost
        Listen 127.0.0.1:${PORT}
        LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
        LoadModule dir_module /usr/lib/apache2/modules/mod_dir.so
        LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
        User nobody
        Group nogroup
        PidFile /tmp/apache.pid
        ErrorLog /dev/stderr
        MaxKeepAliveRequests 0
        DocumentRoot /bench/www
        <Directory /bench/www>
          Require all granted
        </Directory>
        """;

    /** A way to send requests to a server. */
    interface Load {
        /** Returns whether the client reads nothing from the container's root. */
        boolean isOutside();

        /** Asks once; throws if there is no right answer. */
        void once(int port) throws IOException;

        /**
         * Answers in a second.
         *
         * @param root of the container
         */
        double rate(Path root, Path log, int port, Duration time) throws IOException, InterruptedException;
    }

    /** By connections of this process. */
    private record OverTcp(LoadOverTcp.Exchange exchange) implements Load {
        @Override
        public boolean isOutside() {
            return true;
        }

        @Override
        public void once(int port) throws IOException {
            LoadOverTcp.once(port, exchange);
        }

        @Override
        public double rate(Path root, Path log, int port, Duration time) throws IOException, InterruptedException {
            return LoadOverTcp.rate(port, time, exchange);
        }
    }

    /** By pgbench in the container, whose transactions are loosely those of TPC-B. */
    private static final class Transactions implements Load {
        private static final String PROGRAM = "/usr/lib/postgresql/15/bin/pgbench -h 127.0.0.1 -U postgres -p $PORT ";

        @Override
        public boolean isOutside() {
            return false;
        }

        @Override
        public void once(int port) throws IOException {
            LoadOverTcp.once(port, (in, out, number) -> select(in, out));
        }

        @Override
        public double rate(Path root, Path log, int port, Duration time) throws IOException, InterruptedException {
            Map<String, String> variables = Map.of("PORT", Integer.toString(port));
            // The second time the tables are there.
            String tables = "test -e /tmp/tables || %s -i -q postgres && touch /tmp/tables".formatted(PROGRAM);
            String run = "%s && %s -n -c 4 -T %d postgres".formatted(tables, PROGRAM, Math.max(1, time.toSeconds()));
            ContainerRun ran = Container.run(root, log, variables, run);
            Matcher matcher = TRANSACTIONS.matcher(ran.said());
            if (ran.exit() != 0 || !matcher.find()) {
                throw new IOException("pgbench ended with %d: %s".formatted(ran.exit(), ran.said()));
            }
            return Double.parseDouble(matcher.group(1));
        }

        /** Logs in by PostgreSQL's protocol, and waits until the server takes queries. */
        private static void select(InputStream in, OutputStream out) throws IOException {
            byte[] words = "user\0postgres\0database\0postgres\0\0".getBytes(StandardCharsets.US_ASCII);
            ByteBuffer hello = ByteBuffer.allocate(8 + words.length);
            out.write(hello.putInt(8 + words.length).putInt(3 << 16).put(words).array());
            out.flush();
            DataInputStream messages = new DataInputStream(in);
            int kind;
            do {
                kind = messages.readUnsignedByte();
                messages.skipNBytes(messages.readInt() - 4L);
            } while (kind != READY && kind != ERROR);
            if (kind == ERROR) {
                throw new IOException("PostgreSQL does not take queries yet");
            }
        }
    }

    private static LongServer of(
            String name, List<String> packages, Map<String, String> files, String script, Load load) {
        return new LongServer(new AptImages.Recipe(name, List.of(packages), files), script, load);
    }

    private static final Map<String, LongServer> ALL = Map.of(
            "postgres",
                    of(
                            "postgres",
                            List.of("postgresql-15", "tzdata"),
                            Map.of("etc/passwd", PASSWD, "etc/group", GROUP),
                            """
                            chmod 1777 /tmp
                            own="chroot --userspec=70:70 / /usr/lib/postgresql/15/bin"
                            $own/initdb -D /tmp/data -A trust -U postgres -E UTF8 --locale=C || exit 1
                            exec $own/postgres -D /tmp/data -p $PORT -h 127.0.0.1 -k /tmp
                            """,
                            new Transactions()),
            "redis",
                    of(
                            "redis",
                            List.of("redis-server"),
                            Map.of("etc/passwd", PASSWD),
                            "exec redis-server --port $PORT --bind 127.0.0.1 --dir /tmp --save ''",
                            new OverTcp(LoadOverTcp::key)),
            "apache",
                    of(
                            "apache",
                            List.of("apache2-bin"),
                            Map.of(
                                    "etc/passwd",
                                    PASSWD,
                                    "etc/group",
                                    GROUP,
                                    "bench/httpd.conf",
                                    APACHE,
                                    "bench/www/index.html",
                                    "<p>a page of some length</p>\n".repeat(35)),
                            "exec apache2 -DFOREGROUND -f /bench/httpd.conf",
                            new OverTcp((in, out, number) -> LoadOverTcp.page(in, out))),
            "node",
                    of(
                            "node",
                            List.of("nodejs"),
                            Map.of("bench/server.js", NODE),
                            "exec node /bench/server.js",
                            new OverTcp((in, out, number) -> LoadOverTcp.page(in, out))));

    String name() {
        return recipe.name();
    }

    /** The names of all. */
    static Set<String> names() {
        return new TreeSet<>(ALL.keySet());
    }

    /** One of {@link #names}. */
    static LongServer of(String name) {
        LongServer server = ALL.get(name);
        if (server == null) {
            throw new IllegalArgumentException(
                    "no server is called %s; there are %s".formatted(name, String.join(", ", names())));
        }
        return server;
    }
}
