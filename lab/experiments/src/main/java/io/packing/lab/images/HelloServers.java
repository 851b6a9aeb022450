// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static io.packing.lab.images.HelloImage.CURL;
import static io.packing.lab.images.HelloImage.SCM;
import static io.packing.lab.images.HelloImage.USERS;
import static io.packing.lab.images.HelloImage.layers;

import io.packing.lab.images.HelloReady.FirstRequest;
import java.util.List;
import java.util.Map;

/** Images of databases, web servers and web frameworks: a start ends when the server has answered its first request. */
final class HelloServers {
    private static final String DATABASE = "database";
    private static final String WEB = "web server";
    private static final String FRAMEWORK = "web framework";
    private static final String OTHER = "other";
    private static final Map<String, String> PAGE = Map.of("bench/www/index.html", "<p>hello</p>\n".repeat(40));

    private HelloServers() {}

    /** Has the port written into a configuration, and starts a server by it. */
    private static String configured(String file, String command) {
        return "sed \"s/PORT/$PORT/\" /bench/%s > /tmp/%s && %s".formatted(file, file, command);
    }

    private static FirstRequest of(LongServer server) {
        return server.load()::once;
    }

    private static HelloImage longServer(
            String category, String name, List<List<String>> own, List<Map<String, String>> files) {
        LongServer server = LongServer.of(name);
        return HelloImage.server(category, name, CURL, own, files, server.script(), of(server));
    }

    private static List<Map<String, String>> filesOf(String name) {
        return LongServer.of(name).recipe().files();
    }

    static List<HelloImage> all() {
        return List.of(
                longServer(
                        DATABASE,
                        "postgres",
                        layers("libxml2 libllvm14", "libpq5 postgresql-client-15", "postgresql-15"),
                        List.of(USERS, Map.of("bench/readme", "a database\n"))),
                longServer(
                        DATABASE,
                        "redis",
                        layers("libjemalloc2 liblua5.1-0", "redis-tools", "redis-server"),
                        List.of(USERS)),
                HelloImage.server(
                        DATABASE,
                        "memcached",
                        CURL,
                        layers("libevent-2.1-7 libsasl2-2", "memcached"),
                        List.of(USERS),
                        "exec memcached -u nobody -p $PORT -l 127.0.0.1",
                        FirstRequest.line("version\r\n", "VERSION .*")),
                HelloImage.server(
                        DATABASE,
                        "mariadb",
                        CURL,
                        layers(
                                "perl-base hostname gawk",
                                "libaio1 libnuma1 liburing2",
                                "mariadb-client-core",
                                "mariadb-server-core"),
                        List.of(USERS),
                        """
                        mariadb-install-db --no-defaults --force --user=root --datadir=/tmp/data \
                            --auth-root-authentication-method=normal --skip-test-db || exit 1
                        exec mariadbd --no-defaults --user=root --datadir=/tmp/data --port=$PORT --bind-address=127.0.0.1 \
                            --socket=/tmp/mariadb.socket
                        """,
                        FirstRequest.mysqlGreeting()),
                HelloImage.server(
                        DATABASE,
                        "influxdb",
                        CURL,
                        layers("procps", "influxdb"),
                        List.of(USERS),
                        """
                        export INFLUXDB_HTTP_BIND_ADDRESS=127.0.0.1:$PORT INFLUXDB_BIND_ADDRESS=127.0.0.1:0
                        export INFLUXDB_DATA_DIR=/tmp/data INFLUXDB_DATA_WAL_DIR=/tmp/wal INFLUXDB_META_DIR=/tmp/meta
                        exec influxd
                        """,
                        FirstRequest.page("/ping")),
                HelloImage.server(
                        DATABASE,
                        "etcd",
                        CURL,
                        layers("procps", "etcd-server"),
                        List.of(USERS),
                        """
                        exec etcd --data-dir /tmp/data --listen-client-urls http://127.0.0.1:$PORT \
                            --advertise-client-urls http://127.0.0.1:$PORT --listen-peer-urls http://127.0.0.1:0
                        """,
                        FirstRequest.page("/health")),
                HelloImage.program(
                        DATABASE,
                        "sqlite",
                        CURL,
                        layers("libreadline8", "sqlite3"),
                        List.of(Map.of("src/hello.sql", "select 'hello of ' || 42;\n")),
                        "sqlite3 /tmp/data.db < /src/hello.sql",
                        "hello of 42"),
                longServer(
                        WEB, "apache", layers("libapr1 libaprutil1", "apache2-bin", "apache2-data"), filesOf("apache")),
                HelloImage.server(
                        WEB,
                        "nginx",
                        CURL,
                        layers("nginx-common", "nginx"),
                        List.of(USERS, PAGE, Map.of("bench/nginx.conf", """
                                user root;
                                daemon off;
                                pid /tmp/nginx.pid;
                                error_log stderr;
                                events { }
                                http {
                                  access_log off;
                                  client_body_temp_path /tmp/body;
                                  proxy_temp_path /tmp/proxy;
                                  fastcgi_temp_path /tmp/fastcgi;
                                  uwsgi_temp_path /tmp/uwsgi;
                                  scgi_temp_path /tmp/scgi;
                                  server { listen 127.0.0.1:PORT; root /bench/www; }
                                }
                                """)),
                        configured("nginx.conf", "exec nginx -e stderr -c /tmp/nginx.conf"),
                        FirstRequest.page("/")),
                HelloImage.server(
                        WEB,
                        "lighttpd",
                        CURL,
                        layers("libpcre2-8-0 lua5.4", "lighttpd"),
                        List.of(USERS, PAGE, Map.of("bench/lighttpd.conf", """
                                server.document-root = "/bench/www"
                                server.bind = "127.0.0.1"
                                server.port = PORT
                                index-file.names = ( "index.html" )
                                mimetype.assign = ( ".html" => "text/html" )
                                """)),
                        configured("lighttpd.conf", "exec lighttpd -D -f /tmp/lighttpd.conf"),
                        FirstRequest.page("/")),
                HelloImage.server(
                        WEB,
                        "haproxy",
                        CURL,
                        layers("liblua5.3-0 libopentracing-c-wrapper0", "haproxy"),
                        List.of(USERS, Map.of("bench/haproxy.cfg", """
                                defaults
                                  mode http
                                  timeout connect 5s
                                  timeout client 5s
                                  timeout server 5s
                                frontend front
                                  bind 127.0.0.1:PORT
                                  http-request return status 200 content-type text/plain string hello
                                """)),
                        configured("haproxy.cfg", "exec haproxy -db -f /tmp/haproxy.cfg"),
                        FirstRequest.page("/")),
                HelloImage.server(
                        WEB,
                        "tomcat",
                        SCM,
                        layers("openjdk-17-jre-headless", "tomcat10-common"),
                        List.of(
                                Map.of("bench/tomcat/webapps/ROOT/index.jsp", "<p>hello of <%= 40 + 2 %></p>\n"),
                                Map.of("bench/tomcat/conf/server.xml", """
                                        <Server port="-1">
                                          <Service name="Catalina">
                                            <Connector port="${port}" address="127.0.0.1"/>
                                            <Engine name="Catalina" defaultHost="localhost">
                                              <Host name="localhost" appBase="webapps"/>
                                            </Engine>
                                          </Service>
                                        </Server>
                                        """)),
                        """
                        cp /usr/share/tomcat10/etc/web.xml /bench/tomcat/conf/ && mkdir -p /bench/tomcat/temp /bench/tomcat/logs || exit 1
                        exec /usr/lib/jvm/java-17-openjdk-amd64/bin/java -Dport=$PORT -Dcatalina.home=/usr/share/tomcat10 \
                            -Dcatalina.base=/bench/tomcat -Djava.io.tmpdir=/bench/tomcat/temp \
                            -cp /usr/share/tomcat10/bin/bootstrap.jar:/usr/share/tomcat10/bin/tomcat-juli.jar \
                            org.apache.catalina.startup.Bootstrap start
                        """,
                        FirstRequest.page("/index.jsp")),
                HelloImage.server(
                        WEB,
                        "caddy",
                        CURL,
                        layers("media-types", "caddy"),
                        List.of(PAGE),
                        "exec caddy file-server --listen 127.0.0.1:$PORT --root /bench/www",
                        FirstRequest.page("/")),
                longServer(FRAMEWORK, "node", layers("libstdc++6 python3-minimal", "nodejs"), filesOf("node")),
                HelloImage.server(
                        FRAMEWORK,
                        "django",
                        SCM,
                        layers("python3", "python3-sqlparse python3-tz", "python3-django"),
                        List.of(Map.of("bench/settings.py", """
                                        SECRET_KEY = "none"
                                        ALLOWED_HOSTS = ["*"]
                                        ROOT_URLCONF = "urls"
                                        """), Map.of("bench/urls.py", """
                                        from django.http import HttpResponse
                                        from django.urls import path
                                        urlpatterns = [path("", lambda request: HttpResponse("hello of 42"))]
                                        """)),
                        "cd /bench && PYTHONPATH=/bench DJANGO_SETTINGS_MODULE=settings"
                                + " exec python3 -m django runserver --noreload 127.0.0.1:$PORT",
                        FirstRequest.page("/")),
                HelloImage.server(
                        FRAMEWORK,
                        "flask",
                        CURL,
                        layers("python3", "python3-jinja2 python3-werkzeug", "python3-flask"),
                        List.of(Map.of("bench/app.py", """
                                import os
                                import flask
                                app = flask.Flask(__name__)
                                @app.route("/")
                                def hello():
                                    return flask.render_template_string("hello of {{ n }}", n=42)
                                app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
                                """)),
                        "exec python3 /bench/app.py",
                        FirstRequest.page("/")),
                HelloImage.server(
                        FRAMEWORK,
                        "sinatra",
                        SCM,
                        layers("ruby3.1", "ruby-rack ruby-tilt", "ruby-webrick ruby-sinatra"),
                        List.of(Map.of("bench/app.rb", """
                                require "sinatra/base"
                                class Hello < Sinatra::Base
                                  get("/") { "hello of #{40 + 2}" }
                                end
                                Hello.run!(server: "webrick", bind: "127.0.0.1", port: Integer(ENV["PORT"]))
                                """)),
                        "exec ruby3.1 /bench/app.rb",
                        FirstRequest.page("/")),
                HelloImage.server(
                        OTHER,
                        "registry",
                        CURL,
                        layers("docker-registry"),
                        List.of(Map.of("bench/registry.yml", """
                                version: 0.1
                                storage:
                                  filesystem:
                                    rootdirectory: /tmp/registry
                                http:
                                  addr: 127.0.0.1:PORT
                                """)),
                        configured("registry.yml", "exec docker-registry serve /tmp/registry.yml"),
                        FirstRequest.page("/v2/")),
                HelloImage.server(
                        OTHER,
                        "prometheus",
                        CURL,
                        layers("libjs-jquery", "prometheus"),
                        List.of(Map.of("bench/prometheus.yml", "scrape_configs: []\n")),
                        "exec prometheus --config.file=/bench/prometheus.yml --storage.tsdb.path=/tmp/data"
                                + " --web.listen-address=127.0.0.1:$PORT",
                        FirstRequest.page("/-/ready")));
    }
}
