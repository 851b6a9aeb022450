{{- define "packing.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "packing.labels" -}}
{{ include "packing.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "packing.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "packing.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- /* Whether daemons speak TLS. */ -}}
{{- define "packing.tls" -}}
{{- if ne .Values.tls.mode "off" }}true{{ end -}}
{{- end -}}

{{- define "packing.secret" -}}
{{- $name := index .root.Values.tls.secrets .of -}}
{{- if and (eq .root.Values.tls.mode "secrets") $name -}}{{ $name }}{{- else -}}{{ include "packing.fullname" .root }}-{{ .of }}-tls{{- end -}}
{{- end -}}

{{- define "packing.masterHost" -}}
{{ include "packing.fullname" .root }}-masters-{{ .index }}.{{ include "packing.fullname" .root }}-masters.{{ .root.Release.Namespace }}.svc.{{ .root.Values.clusterDomain }}
{{- end -}}

{{- /* The masters at a port, one after the other with commas. */ -}}
{{- define "packing.masters" -}}
{{- $root := . -}}
{{- range $i := until (int .Values.masters.replicas) -}}
{{- if $i }},{{ end -}}{{ include "packing.masterHost" (dict "root" $root "index" $i) }}:19990
{{- end -}}
{{- end -}}

{{- define "packing.peers" -}}
{{- $root := . -}}
{{- $name := include "packing.fullname" . -}}
{{- range $i := until (int .Values.masters.replicas) -}}
{{- if $i }},{{ end -}}{{ $name }}-masters-{{ $i }}={{ include "packing.masterHost" (dict "root" $root "index" $i) }}:19980
{{- end -}}
{{- end -}}

{{- define "packing.mount" -}}
packing://{{ include "packing.masters" . }}
{{- end -}}

{{- define "packing.storeUrl" -}}
{{ .Values.store.url | default "file:///srv/packing/store" }}
{{- end -}}

{{- /* The store as bdt.stores names it. */ -}}
{{- define "packing.allowedStore" -}}
{{ include "packing.storeUrl" . }}{{ if .Values.store.endpoint }}@{{ .Values.store.endpoint }}{{ end }}
{{- end -}}

{{- /* Options of the mount as a map, for each process that opens it. */ -}}
{{- define "packing.mountOptions" -}}
{{- $all := dict "packing.store" (include "packing.storeUrl" .) -}}
{{- if .Values.store.endpoint }}{{ $_ := set $all "packing.s3.endpoint" .Values.store.endpoint }}{{ end -}}
{{- if .Values.store.region }}{{ $_ := set $all "packing.s3.region" .Values.store.region }}{{ end -}}
{{- range $key, $value := .Values.mountOptions }}{{ $_ := set $all $key $value }}{{ end -}}
{{ toJson $all }}
{{- end -}}

{{- /* A map as lines of HOCON, with dots in keys as paths. Numbers are text, so that large ones keep their digits. */ -}}
{{- define "packing.hocon" -}}
{{- range $key := keys . | sortAlpha }}
{{ $key }} = {{ include "packing.plain" (get $ $key) | toJson }}
{{- end }}
{{- end -}}

{{- define "packing.plain" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ . | int64 | toString }}{{- else -}}{{ . | toString }}{{- end -}}
{{- end -}}

{{- define "packing.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- define "packing.podSecurityContext" -}}
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
runAsNonRoot: true
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- /* Fields of a pod that each component has: root, of (its values), component, and podSecurity where it is not the usual one. */ -}}
{{- define "packing.podFields" -}}
serviceAccountName: {{ include "packing.fullname" .root }}-{{ .component }}
automountServiceAccountToken: {{ .of.serviceAccount.automountToken }}
enableServiceLinks: false
securityContext: {{- default (include "packing.podSecurityContext" .) .podSecurity | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .of.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .of.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .of.topologySpreadConstraints }}
topologySpreadConstraints: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "packing.podMetadata" -}}
labels:
  {{- include "packing.selector" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
  {{- with .of.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/config: {{ include (print .root.Template.BasePath "/configmap.yaml") .root | sha256sum }}
  {{- with .of.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "packing.antiAffinity" -}}
affinity:
  podAntiAffinity:
    {{- if .of.separateNodes }}
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "packing.selector" .root | nindent 12 }}
            app.kubernetes.io/component: {{ .component }}
    {{- else }}
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "packing.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
    {{- end }}
{{- end -}}

{{- define "packing.env" -}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: POD_IP
  valueFrom: {fieldRef: {fieldPath: status.podIP}}
- name: NODE_NAME
  valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
- name: PACKING_CONF
  value: /etc/packing
- name: PACKING_LOG_DIR
  value: /var/log/packing
- name: XDG_CACHE_HOME
  value: none
- name: PACKING_JAVA_OPTS
  value: {{ .of.javaOptions | quote }}
{{- with .root.Values.store.secret }}
- name: PACKING_S3_ACCESS_KEY
  valueFrom: {secretKeyRef: {name: {{ . }}, key: PACKING_S3_ACCESS_KEY}}
- name: PACKING_S3_SECRET_KEY
  valueFrom: {secretKeyRef: {name: {{ . }}, key: PACKING_S3_SECRET_KEY}}
{{- end }}
{{- with .of.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "packing.volumeMounts" -}}
- {name: config, mountPath: /etc/packing, readOnly: true}
- {name: tmp, mountPath: /tmp}
- {name: log, mountPath: /var/log/packing}
{{- if not .Values.store.url }}
- {name: store, mountPath: /srv/packing}
{{- end }}
{{- end -}}

{{- define "packing.volumes" -}}
- name: config
  configMap: {name: {{ include "packing.fullname" . }}}
- name: tmp
  emptyDir: {}
- name: log
  emptyDir: {}
{{- if not .Values.store.url }}
- name: store
  persistentVolumeClaim: {claimName: {{ include "packing.fullname" . }}-store}
{{- end }}
{{- end -}}

{{- define "packing.probes" -}}
startupProbe:
  httpGet: {path: /livez, port: metrics}
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: {path: /livez, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: metrics}
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{- /* Arguments of each part of the CSI driver. */ -}}
{{- define "packing.csiArguments" -}}
- --name={{ .Values.csi.driverName }}
- --mount={{ include "packing.mount" . }}{{ .Values.csi.path }}
{{- $options := include "packing.mountOptions" . | fromJson }}
{{- range $key, $value := .Values.csi.options }}{{ $_ := set $options $key $value }}{{ end }}
{{- range $key, $value := $options }}
- --option
- {{ printf "%s=%s" $key (include "packing.plain" $value) | quote }}
{{- end }}
{{- if include "packing.tls" . }}
- --option
- packing.tls.trust=/etc/packing-operator/ca.crt
- --option
- packing.tls.certificate=/etc/packing-operator/tls.crt
- --option
- packing.tls.key=/etc/packing-operator/tls.key
{{- end }}
{{- end -}}

{{- /* The driver is not ready while the masters do not answer: that is no reason to start it again soon. */ -}}
{{- define "packing.csiProbe" -}}
livenessProbe:
  httpGet: {path: /healthz, port: healthz}
  initialDelaySeconds: 30
  periodSeconds: 30
  timeoutSeconds: 12
  failureThreshold: 20
{{- end -}}

{{- /* A quantity as a number of bytes: 5Gi and 5120Mi are equal. One that is written otherwise stays as it is. */ -}}
{{- define "packing.bytes" -}}
{{- $factors := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 -}}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" . -}}
{{- $unit := trimPrefix $number . -}}
{{- if and $number (hasKey $factors $unit) -}}{{ mulf (float64 $number) (get $factors $unit) | int64 }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{- /* The claims of a StatefulSet never change: without this the server refuses an upgrade in its middle, and names no value. */ -}}
{{- define "packing.sameClaims" -}}
{{- $with := . -}}
{{- $namespace := .root.Release.Namespace -}}
{{- range dig "spec" "volumeClaimTemplates" (list) (lookup "apps/v1" "StatefulSet" $namespace .set) -}}
{{- $size := dig "spec" "resources" "requests" "storage" "" . -}}
{{- $class := dig "spec" "storageClassName" "" . -}}
{{- if or (ne (include "packing.bytes" $size) (include "packing.bytes" $with.size)) (ne $class $with.class) -}}
{{- fail (printf "%s: the volumes of %s are of size %s and storageClassName %q, which an upgrade cannot change. Keep both, or delete the set without its pods (kubectl -n %s delete statefulset %s --cascade=orphan), change the claims, and upgrade then" $with.value $with.set $size $class $namespace $with.set) -}}
{{- end -}}
{{- end -}}
{{- end -}}
