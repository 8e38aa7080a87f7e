{{/* The restricted profile of Kubernetes' pod security standards. */}}
{{- define "paraph.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ .Values.podSecurity.user }}
runAsGroup: {{ .Values.podSecurity.user }}
fsGroup: {{ .Values.podSecurity.user }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {{- toYaml .Values.podSecurity.seccompProfile | nindent 2 }}
{{- end }}

{{- define "paraph.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* A Deployment of one role, with what keeps it going. Called with root, role (its name in the values) and roles (ROLES). */}}
{{- define "paraph.deployment" -}}
{{- $root := .root }}
{{- $role := .role }}
{{- $name := printf "%s-%s" (include "paraph.name" $root) $role }}
{{- $given := index $root.Values $role }}
{{- $groups := ternary (list "server" "worker") (list "server") (eq $role "worker") }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "paraph.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
spec:
  {{- if not $given.autoscaling.enabled }}
  replicas: {{ $given.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "paraph.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $role }}
  template:
    metadata:
      labels:
        {{- include "paraph.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ $role }}
        {{- with $root.Values.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      annotations:
        # New settings are new pods.
        paraph/settings: {{ include "paraph.settings" $root | sha256sum | trunc 16 | quote }}
        {{- with $root.Values.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: {{ include "paraph.account" $root }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ $root.Values.terminationGracePeriodSeconds }}
      securityContext: {{- include "paraph.podSecurity" $root | nindent 8 }}
      {{- with $root.Values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $given.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ $role }}
          image: {{ include "paraph.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext: {{- include "paraph.containerSecurity" $root | nindent 12 }}
          envFrom:
            - configMapRef: { name: {{ include "paraph.name" $root }} }
          env:
            - name: ROLES
              value: {{ .roles | quote }}
            {{- if and (eq $role "worker") $root.Values.bounces.enabled }}
            - name: BOUNCE_LISTEN
              value: 0.0.0.0:2525
            {{- end }}
            {{- range $setting, $value := $given.settings }}
            - name: {{ $setting }}
              value: {{ include "paraph.plain" $value | quote }}
            {{- end }}
            {{- range $groups }}
            {{- include "paraph.files" (dict "root" $root "group" .) | trim | nindent 12 }}
            {{- end }}
          ports:
            {{- if ne $role "worker" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            - { name: management, containerPort: 8081 }
            {{- if and (eq $role "worker") $root.Values.bounces.enabled }}
            - { name: bounces, containerPort: 2525 }
            {{- end }}
          startupProbe:
            httpGet: { path: /management/health/liveness, port: management }
            periodSeconds: 2
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /management/health/liveness, port: management }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /management/health/readiness, port: management }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              sleep: { seconds: {{ $root.Values.preStopSeconds }} }
          resources: {{- toYaml $given.resources | nindent 12 }}
          volumeMounts:
            # The server makes its folder in there by itself, of its own user.
            - { name: spool, mountPath: /var/tmp }
            {{- range $groups }}
            {{- include "paraph.fileMounts" (dict "root" $root "group" .) | trim | nindent 12 }}
            {{- end }}
            {{- with $given.extraVolumeMounts }}{{ toYaml . | nindent 12 }}{{ end }}
      volumes:
        - name: spool
          emptyDir: { sizeLimit: {{ $given.spool.size }} }
        {{- range $groups }}
        {{- include "paraph.fileVolumes" (dict "root" $root "group" .) | trim | nindent 8 }}
        {{- end }}
        {{- with $given.extraVolumes }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- with $given.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $given.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $given.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $given.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      topologySpreadConstraints:
        {{- if $given.topologySpreadConstraints }}
        {{- toYaml $given.topologySpreadConstraints | nindent 8 }}
        {{- else }}
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "paraph.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ $role }}
        {{- end }}
{{- end }}
