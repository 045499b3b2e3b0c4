-- Once, as somebody who may make databases:  psql -f database.sql
CREATE ROLE hykube LOGIN PASSWORD 'change-me';
CREATE DATABASE hykube OWNER hykube;
